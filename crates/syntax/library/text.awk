# Texts: cutting, padding, joining. What awk itself cannot do in this namespace is built in, such as text::width and text::matches.

@namespace "text"

# text::trim(s)
# s without the blanks, tabs and newlines at both ends.
function trim(s)
{
	gsub(/^[[:space:]]+|[[:space:]]+$/, "", s)
	return s
}

# text::ltrim(s)
# s without those at the beginning.
function ltrim(s)
{
	sub(/^[[:space:]]+/, "", s)
	return s
}

# text::rtrim(s)
# s without those at the end.
function rtrim(s)
{
	sub(/[[:space:]]+$/, "", s)
	return s
}

# text::squeeze(s)
# s without those at both ends, and with each run of them inside replaced by one blank.
function squeeze(s)
{
	gsub(/[[:space:]]+/, " ", s)
	return trim(s)
}

# text::pad_left(s, width [, fill])
# s padded on the left with blanks, or with fill, to a width in terminal columns.
function pad_left(s, width, fill)
{
	return filling(width - text::width(s), fill) s
}

# text::pad_right(s, width [, fill])
# s padded on the right.
function pad_right(s, width, fill)
{
	return s filling(width - text::width(s), fill)
}

# text::center(s, width [, fill])
# s padded on both sides; an odd column goes to the right.
function center(s, width, fill,    missing)
{
	missing = width - text::width(s)
	if (missing <= 0)
		return s ""
	return filling(int(missing / 2), fill) s filling(missing - int(missing / 2), fill)
}

function filling(count, fill)
{
	return repeat(fill == "" ? " " : fill, count)
}

# text::repeat(s, count)
# s repeated count times.
function repeat(s, count,    all)
{
	# By doubling: ten steps for a thousand times.
	for (count = int(count); count >= 1; count = int(count / 2)) {
		if (count % 2 == 1)
			all = all s
		if (count > 1)
			s = s s
	}
	return all ""
}

# text::reverse(s)
# The characters of s in reverse order.
function reverse(s,    at, all, count, letters)
{
	count = text::graphemes(s, letters)
	for (at = count; at >= 1; at--)
		all = all letters[at]
	return all ""
}

# text::join(array [, separator])
# The values, in the order of their keys, joined by the separator, by default a blank.
function join(array, separator,    keys, count, at, all)
{
	# Only what was left out is equal to both.
	if (separator == 0 && separator == "")
		separator = " "
	count = awk::asorti(array, keys, "@ind_num_asc")
	for (at = 1; at <= count; at++)
		all = at == 1 ? array[keys[at]] : all separator array[keys[at]]
	return all ""
}

# text::starts_with(s, part)
function starts_with(s, part)
{
	return substr(s, 1, length(part)) "" == part ""
}

# text::ends_with(s, part)
function ends_with(s, part)
{
	return length(s) >= length(part) && substr(s, length(s) - length(part) + 1) "" == part ""
}

# text::contains(s, part)
function contains(s, part)
{
	return part "" == "" || index(s, part) > 0
}

# text::count(s, part)
# The number of occurrences of part in s, without overlaps.
function count(s, part,    times, at)
{
	times = 0
	if (part "" == "")
		return 0
	while ((at = index(s, part)) > 0) {
		times++
		s = substr(s, at + length(part))
	}
	return times
}

# text::before(s, part)
# The text before the first part; all of s if there is none.
function before(s, part,    at)
{
	at = index(s, part)
	return at > 0 ? substr(s, 1, at - 1) : s ""
}

# text::after(s, part)
# The text after the first part; "" if there is none.
function after(s, part,    at)
{
	at = index(s, part)
	return at > 0 ? substr(s, at + length(part)) : ""
}

# text::lines(s, list)
# Fills list with the lines, without their line ends (LF or CR LF); returns their number. The last line may lack a line end.
function lines(s, list,    number)
{
	delete list
	if (s "" == "")
		return 0
	sub(/\r?\n$/, "", s)
	number = split(s, list, /\r?\n/)
	if (number == 0)
		list[++number] = ""
	return number
}

# text::capitalize(s)
# s with its first character in upper case.
function capitalize(s)
{
	return toupper(substr(s, 1, 1)) substr(s, 2)
}

# text::regex_escape(s)
# A regular expression that matches exactly the text s.
function regex_escape(s)
{
	gsub(/[][\\.^$*+?(){}|\/]/, "\\\\&", s)
	return s
}

# text::regex(pattern)
# The regular expression that a pattern with \d and \D means, and with \d, \w and \s between brackets: for use after ~ and in functions.
function regex(pattern,    at, all, letter, pair, inside, length_of_class)
{
	pattern = pattern ""
	for (at = 1; at <= length(pattern); at++) {
		letter = substr(pattern, at, 1)
		pair = substr(pattern, at, 2)
		if (letter == "\\") {
			all = all (inside ? class_within(pair) : class_alone(pair))
			at++
		} else if (inside && pair == "[:") {
			length_of_class = index(substr(pattern, at), ":]") + 1
			all = all substr(pattern, at, length_of_class)
			at += length_of_class - 1
		} else if (!inside && letter == "[") {
			inside = 1
			all = all letter
			# A bracket that comes first is one that is meant.
			if (substr(pattern, at + 1, 1) == "^")
				all = all substr(pattern, ++at, 1)
			if (substr(pattern, at + 1, 1) == "]")
				all = all substr(pattern, ++at, 1)
		} else {
			if (letter == "]")
				inside = 0
			all = all letter
		}
	}
	return all ""
}

function class_alone(pair)
{
	if (pair == "\\d")
		return "[0-9]"
	return pair == "\\D" ? "[^0-9]" : pair
}

function class_within(pair)
{
	if (pair == "\\d")
		return "0-9"
	if (pair == "\\s")
		return "[:space:]"
	return pair == "\\w" ? "[:alnum:]_" : pair
}

# text::html_escape(s)
# The text with what means something in HTML as character references, fit for pages and quoted attributes.
function html_escape(s)
{
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	gsub(/"/, "\\&quot;", s)
	gsub(/'/, "\\&#39;", s)
	return s
}
