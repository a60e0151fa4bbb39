public import SettingsBridge
import Synchronization

/// Where providers write what happens between the calls of the bridge. They are made before the log is.
public enum ProviderLog {
    private static let log = Mutex<Log?>(nil)

    /// From now on providers write here; until it is called their lines are dropped.
    public static func write(to log: Log) {
        self.log.withLock { $0 = log }
    }

    static func write(_ level: LogLevel, _ accessory: String, _ message: String) {
        log.withLock { $0 }?.write(level, accessory) { message }
    }
}
