# The cities that an area's time zones are named after, from west to east, with their countries.
# usage: rhawk -f cities.awk [-v area=Pacific] iso3166.tab zone1970.tab

BEGIN { FS = "\t"; if (area == "") area = "Europe" }
/^#/ { next }
NR == FNR { name[$1] = $2; next }
index($3, area "/") == 1 {
    city = $3
    sub(/^.*\//, "", city); gsub(/_/, " ", city)
    match($2, /[-+][0-9]+$/)                                      # the longitude: the second signed number
    where = substr($2, RSTART)
    east = substr(where, 2, 3) + substr(where, 5, 2) / 60
    if (where ~ /^-/) east = -east
    printf "%7.2f  %-14s %s\n", east, city, name[substr($1, 1, 2)] | "sort -n"
}
