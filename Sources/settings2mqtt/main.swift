import BridgeCommandLine

CommandLineTool(programName: "settings2mqtt").main(Array(CommandLine.arguments.dropFirst()))
