# Reads rows "mode TAB pattern TAB text", percent-encoded, and adds gawk's answer: the span and the groups of match(),
# then the text after gsub(pattern, "<&>"). A mode with `i` ignores case; the locale is that of the process.
BEGIN {
    FS = "\t"
    # No other spelling gives single bytes beyond ASCII in a UTF-8 locale.
    BYTES["00"] = "\000"; BYTES["01"] = "\001"; BYTES["02"] = "\002"; BYTES["03"] = "\003"; BYTES["04"] = "\004"; BYTES["05"] = "\005"; BYTES["06"] = "\006"; BYTES["07"] = "\007"
    BYTES["08"] = "\010"; BYTES["09"] = "\011"; BYTES["0A"] = "\012"; BYTES["0B"] = "\013"; BYTES["0C"] = "\014"; BYTES["0D"] = "\015"; BYTES["0E"] = "\016"; BYTES["0F"] = "\017"
    BYTES["10"] = "\020"; BYTES["11"] = "\021"; BYTES["12"] = "\022"; BYTES["13"] = "\023"; BYTES["14"] = "\024"; BYTES["15"] = "\025"; BYTES["16"] = "\026"; BYTES["17"] = "\027"
    BYTES["18"] = "\030"; BYTES["19"] = "\031"; BYTES["1A"] = "\032"; BYTES["1B"] = "\033"; BYTES["1C"] = "\034"; BYTES["1D"] = "\035"; BYTES["1E"] = "\036"; BYTES["1F"] = "\037"
    BYTES["20"] = "\040"; BYTES["21"] = "\041"; BYTES["22"] = "\042"; BYTES["23"] = "\043"; BYTES["24"] = "\044"; BYTES["25"] = "\045"; BYTES["26"] = "\046"; BYTES["27"] = "\047"
    BYTES["28"] = "\050"; BYTES["29"] = "\051"; BYTES["2A"] = "\052"; BYTES["2B"] = "\053"; BYTES["2C"] = "\054"; BYTES["2D"] = "\055"; BYTES["2E"] = "\056"; BYTES["2F"] = "\057"
    BYTES["30"] = "\060"; BYTES["31"] = "\061"; BYTES["32"] = "\062"; BYTES["33"] = "\063"; BYTES["34"] = "\064"; BYTES["35"] = "\065"; BYTES["36"] = "\066"; BYTES["37"] = "\067"
    BYTES["38"] = "\070"; BYTES["39"] = "\071"; BYTES["3A"] = "\072"; BYTES["3B"] = "\073"; BYTES["3C"] = "\074"; BYTES["3D"] = "\075"; BYTES["3E"] = "\076"; BYTES["3F"] = "\077"
    BYTES["40"] = "\100"; BYTES["41"] = "\101"; BYTES["42"] = "\102"; BYTES["43"] = "\103"; BYTES["44"] = "\104"; BYTES["45"] = "\105"; BYTES["46"] = "\106"; BYTES["47"] = "\107"
    BYTES["48"] = "\110"; BYTES["49"] = "\111"; BYTES["4A"] = "\112"; BYTES["4B"] = "\113"; BYTES["4C"] = "\114"; BYTES["4D"] = "\115"; BYTES["4E"] = "\116"; BYTES["4F"] = "\117"
    BYTES["50"] = "\120"; BYTES["51"] = "\121"; BYTES["52"] = "\122"; BYTES["53"] = "\123"; BYTES["54"] = "\124"; BYTES["55"] = "\125"; BYTES["56"] = "\126"; BYTES["57"] = "\127"
    BYTES["58"] = "\130"; BYTES["59"] = "\131"; BYTES["5A"] = "\132"; BYTES["5B"] = "\133"; BYTES["5C"] = "\134"; BYTES["5D"] = "\135"; BYTES["5E"] = "\136"; BYTES["5F"] = "\137"
    BYTES["60"] = "\140"; BYTES["61"] = "\141"; BYTES["62"] = "\142"; BYTES["63"] = "\143"; BYTES["64"] = "\144"; BYTES["65"] = "\145"; BYTES["66"] = "\146"; BYTES["67"] = "\147"
    BYTES["68"] = "\150"; BYTES["69"] = "\151"; BYTES["6A"] = "\152"; BYTES["6B"] = "\153"; BYTES["6C"] = "\154"; BYTES["6D"] = "\155"; BYTES["6E"] = "\156"; BYTES["6F"] = "\157"
    BYTES["70"] = "\160"; BYTES["71"] = "\161"; BYTES["72"] = "\162"; BYTES["73"] = "\163"; BYTES["74"] = "\164"; BYTES["75"] = "\165"; BYTES["76"] = "\166"; BYTES["77"] = "\167"
    BYTES["78"] = "\170"; BYTES["79"] = "\171"; BYTES["7A"] = "\172"; BYTES["7B"] = "\173"; BYTES["7C"] = "\174"; BYTES["7D"] = "\175"; BYTES["7E"] = "\176"; BYTES["7F"] = "\177"
    BYTES["80"] = "\200"; BYTES["81"] = "\201"; BYTES["82"] = "\202"; BYTES["83"] = "\203"; BYTES["84"] = "\204"; BYTES["85"] = "\205"; BYTES["86"] = "\206"; BYTES["87"] = "\207"
    BYTES["88"] = "\210"; BYTES["89"] = "\211"; BYTES["8A"] = "\212"; BYTES["8B"] = "\213"; BYTES["8C"] = "\214"; BYTES["8D"] = "\215"; BYTES["8E"] = "\216"; BYTES["8F"] = "\217"
    BYTES["90"] = "\220"; BYTES["91"] = "\221"; BYTES["92"] = "\222"; BYTES["93"] = "\223"; BYTES["94"] = "\224"; BYTES["95"] = "\225"; BYTES["96"] = "\226"; BYTES["97"] = "\227"
    BYTES["98"] = "\230"; BYTES["99"] = "\231"; BYTES["9A"] = "\232"; BYTES["9B"] = "\233"; BYTES["9C"] = "\234"; BYTES["9D"] = "\235"; BYTES["9E"] = "\236"; BYTES["9F"] = "\237"
    BYTES["A0"] = "\240"; BYTES["A1"] = "\241"; BYTES["A2"] = "\242"; BYTES["A3"] = "\243"; BYTES["A4"] = "\244"; BYTES["A5"] = "\245"; BYTES["A6"] = "\246"; BYTES["A7"] = "\247"
    BYTES["A8"] = "\250"; BYTES["A9"] = "\251"; BYTES["AA"] = "\252"; BYTES["AB"] = "\253"; BYTES["AC"] = "\254"; BYTES["AD"] = "\255"; BYTES["AE"] = "\256"; BYTES["AF"] = "\257"
    BYTES["B0"] = "\260"; BYTES["B1"] = "\261"; BYTES["B2"] = "\262"; BYTES["B3"] = "\263"; BYTES["B4"] = "\264"; BYTES["B5"] = "\265"; BYTES["B6"] = "\266"; BYTES["B7"] = "\267"
    BYTES["B8"] = "\270"; BYTES["B9"] = "\271"; BYTES["BA"] = "\272"; BYTES["BB"] = "\273"; BYTES["BC"] = "\274"; BYTES["BD"] = "\275"; BYTES["BE"] = "\276"; BYTES["BF"] = "\277"
    BYTES["C0"] = "\300"; BYTES["C1"] = "\301"; BYTES["C2"] = "\302"; BYTES["C3"] = "\303"; BYTES["C4"] = "\304"; BYTES["C5"] = "\305"; BYTES["C6"] = "\306"; BYTES["C7"] = "\307"
    BYTES["C8"] = "\310"; BYTES["C9"] = "\311"; BYTES["CA"] = "\312"; BYTES["CB"] = "\313"; BYTES["CC"] = "\314"; BYTES["CD"] = "\315"; BYTES["CE"] = "\316"; BYTES["CF"] = "\317"
    BYTES["D0"] = "\320"; BYTES["D1"] = "\321"; BYTES["D2"] = "\322"; BYTES["D3"] = "\323"; BYTES["D4"] = "\324"; BYTES["D5"] = "\325"; BYTES["D6"] = "\326"; BYTES["D7"] = "\327"
    BYTES["D8"] = "\330"; BYTES["D9"] = "\331"; BYTES["DA"] = "\332"; BYTES["DB"] = "\333"; BYTES["DC"] = "\334"; BYTES["DD"] = "\335"; BYTES["DE"] = "\336"; BYTES["DF"] = "\337"
    BYTES["E0"] = "\340"; BYTES["E1"] = "\341"; BYTES["E2"] = "\342"; BYTES["E3"] = "\343"; BYTES["E4"] = "\344"; BYTES["E5"] = "\345"; BYTES["E6"] = "\346"; BYTES["E7"] = "\347"
    BYTES["E8"] = "\350"; BYTES["E9"] = "\351"; BYTES["EA"] = "\352"; BYTES["EB"] = "\353"; BYTES["EC"] = "\354"; BYTES["ED"] = "\355"; BYTES["EE"] = "\356"; BYTES["EF"] = "\357"
    BYTES["F0"] = "\360"; BYTES["F1"] = "\361"; BYTES["F2"] = "\362"; BYTES["F3"] = "\363"; BYTES["F4"] = "\364"; BYTES["F5"] = "\365"; BYTES["F6"] = "\366"; BYTES["F7"] = "\367"
    BYTES["F8"] = "\370"; BYTES["F9"] = "\371"; BYTES["FA"] = "\372"; BYTES["FB"] = "\373"; BYTES["FC"] = "\374"; BYTES["FD"] = "\375"; BYTES["FE"] = "\376"; BYTES["FF"] = "\377"
    for (name in BYTES) if (name !~ /^[2-7]/ || name == "25" || name == "7F") CODE[BYTES[name]] = name
}
function decode(s,    out, at) {
    out = ""
    while ((at = index(s, "%")) > 0) {
        out = out substr(s, 1, at - 1) BYTES[substr(s, at + 1, 2)]
        s = substr(s, at + 3)
    }
    return out s
}
function encode(s,    out, n, c) {
    out = ""
    for (n = 1; n <= length(s); n++) {
        c = substr(s, n, 1)
        out = out ((c in CODE) ? "%" CODE[c] : c)
    }
    return out
}
{
    IGNORECASE = ($1 ~ /i/)
    pattern = decode($2); text = decode($3)
    answer = "none"
    if (match(text, pattern, group)) {
        answer = (RSTART - 1) "+" RLENGTH
        groups = 0
        for (key in group) if (key ~ /^[0-9]+$/ && key + 0 > groups) groups = key + 0
        for (n = 1; n <= groups; n++)
            answer = answer " " ((n in group) ? (group[n, "start"] - 1) "+" group[n, "length"] : "-")
    }
    gsub(pattern, "<&>", text)
    print $0 "\t" answer "\t" encode(text)
    fflush()
}
