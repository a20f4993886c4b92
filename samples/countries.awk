# The countries with the most time zones, by name: a join of two files.
# usage: rhawk -f countries.awk iso3166.tab zone1970.tab

BEGIN { FS = "\t"; if (most == "") most = 8 }
/^#/ { next }
NR == FNR { name[$1] = $2; next }
{ n = split($1, codes, ","); for (i = 1; i <= n; i++) zones[codes[i]]++ }
END {
    for (place = 1; place <= most; place++) {
        best = ""
        for (code in zones)
            if (best == "" || zones[code] > zones[best] || (zones[code] == zones[best] && code < best)) best = code
        bar = sprintf("%" zones[best] "s", ""); gsub(/ /, "*", bar)
        printf "%-16s %3d %s\n", name[best], zones[best], bar
        delete zones[best]
    }
}
