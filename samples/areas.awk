# Time zones by area: how many, in how many countries, and how far they reach from north to south.
# usage: rhawk -f areas.awk zone1970.tab

BEGIN { FS = "\t" }
/^#/ { next }
{
    area = substr($3, 1, index($3, "/") - 1)
    zones[area]++; total++
    n = split($1, codes, ",")
    for (i = 1; i <= n; i++) if (!seen[area, codes[i]]++) countries[area]++

    degrees = substr($2, 1, 3) + 0          # +DDMM or +DDMMSS: sign and degrees come first
    if (zones[area] == 1 || degrees > north[area]) north[area] = degrees
    if (zones[area] == 1 || degrees < south[area]) south[area] = degrees
}
END {
    printf "%-12s %5s %9s  %s\n", "area", "zones", "countries", "latitudes"
    sorted = "sort -k2,2nr -k1,1"
    for (area in zones)
        printf "%-12s %5d %9d  %+03d to %+03d\n", area, zones[area], countries[area], south[area], north[area] | sorted
    close(sorted)
    printf "%-12s %5d\n", "all", total
}
