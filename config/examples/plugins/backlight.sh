#!/bin/sh
# A plug-in of settings2mqtt: the brightness of a screen that Linux controls. The argument is the screen's folder under
# /sys/class/backlight.
set -u
folder=$1

# The bridge writes one object per line, without spaces and with its keys in this order: id, request, changes.
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/^{"id":\([0-9]*\),.*/\1/p')
    case $line in
    *'"request":"describe"'*)
        max=$(cat "$folder/max_brightness") || max=100
        cat <<END
{"id":$id,"settings":{"brightness":{"kind":"range","label":"Brightness","min":0,"max":$max,"integer":true}}}
END
        ;;
    *'"request":"read"'*)
        if now=$(cat "$folder/brightness"); then
            echo "{\"id\":$id,\"values\":{\"brightness\":$now}}"
        else
            echo "{\"id\":$id,\"error\":\"the brightness can't be read\"}"
        fi
        ;;
    *'"request":"write"'*)
        value=$(printf '%s' "$line" | sed -n 's/.*"changes":{"brightness":\([0-9]*\)}.*/\1/p')
        if echo "$value" >"$folder/brightness"; then
            echo "{\"id\":$id}"
        else
            echo "{\"id\":$id,\"error\":\"the brightness can't be changed; may this user write to $folder?\"}"
        fi
        ;;
    esac
done
