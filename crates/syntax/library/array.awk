# Arrays: their keys and values in order, and new ones made of them.
#
# A list is an array with the keys 1, 2, 3 and so on. Orders are those of asort and of PROCINFO["sorted_in"]: "@ind_str_asc",
# "@val_num_desc" and so on, or the name of a function that compares. An array that is filled loses all that it held.

@namespace "array"

# array::keys(array, list [, order])
# Fills list with the keys, sorted as text or in the given order; returns their number.
function keys(array, list, order)
{
	return awk::asorti(array, list, order == "" ? "@ind_str_asc" : order)
}

# array::values(array, list [, order])
# Fills list with the values, in the order of their keys (numbers before texts) or in the given order; returns their number.
function values(array, list, order)
{
	return awk::asort(array, list, order == "" ? "@ind_num_asc" : order)
}

# array::by_value(array, list [, order])
# Fills list with the keys, sorted by value or in the given order; returns their number.
function by_value(array, list, order)
{
	return awk::asorti(array, list, order == "" ? "@val_num_asc" : order)
}

# array::top(array, count, list)
# Fills list with the keys of the count largest values, the largest first; returns their number.
function top(array, count, list,    found)
{
	found = awk::asorti(array, list, "@val_num_desc")
	for (; found > count && found > 0; found--)
		delete list[found]
	return found
}

# array::copy(from, to)
# Copies an array with its subarrays; returns the number of elements that are not arrays.
function copy(from, to,    key, count)
{
	delete to
	count = 0
	for (key in from)
		if (awk::isarray(from[key])) {
			to[key][1]
			count += copy(from[key], to[key])
		} else {
			to[key] = from[key]
			count++
		}
	return count
}

# array::equal(a, b)
# 1 if both have the same keys and values, subarrays included, else 0.
function equal(a, b,    key)
{
	if (length(a) != length(b))
		return 0
	for (key in a) {
		if (!(key in b) || awk::isarray(a[key]) != awk::isarray(b[key]))
			return 0
		if (awk::isarray(a[key])) {
			if (!equal(a[key], b[key]))
				return 0
		} else if (a[key] != b[key])
			return 0
	}
	return 1
}

# array::contains(array, value)
# 1 if an element has this value, else 0.
function contains(array, value,    key)
{
	for (key in array)
		if (array[key] == value)
			return 1
	return 0
}

# array::index_of(list, value)
# The index of the first element with this value; 0 if there is none.
function index_of(list, value,    at, count)
{
	count = length(list)
	for (at = 1; at <= count; at++)
		if (list[at] == value)
			return at
	return 0
}

# array::count(array, into)
# Sets into[value] to the number of times each value occurs; returns the number of different values.
function count(array, into,    key)
{
	delete into
	for (key in array)
		into[array[key]]++
	return length(into)
}

# array::group(array, into)
# Sets into[value] to the list of keys with that value, in the order of the keys; returns the number of different values.
function group(array, into,    order, number, at, value)
{
	delete into
	number = awk::asorti(array, order, "@ind_num_asc")
	for (at = 1; at <= number; at++) {
		value = array[order[at]]
		into[value][value in into ? length(into[value]) + 1 : 1] = order[at]
	}
	return length(into)
}

# array::invert(array, into)
# Swaps keys and values; of keys with the same value, the last in order wins. Returns the number of elements.
function invert(array, into,    order, number, at)
{
	delete into
	number = awk::asorti(array, order, "@ind_num_asc")
	for (at = 1; at <= number; at++)
		into[array[order[at]]] = order[at]
	return length(into)
}

# array::unique(list, into)
# Fills into with each different value of a list once, in the order of first occurrence; returns their number.
function unique(list, into,    at, number, seen, last)
{
	delete into
	number = length(list)
	last = 0
	for (at = 1; at <= number; at++)
		if (!seen[list[at]]++)
			into[++last] = list[at]
	return last
}

# array::push(list, value)
# Appends a value; returns the new length.
function push(list, value,    last)
{
	last = length(list) + 1
	list[last] = value
	return last
}

# array::pop(list)
# Removes the last value and returns it; unassigned for an empty list.
function pop(list,    last, value)
{
	last = length(list)
	if (last == 0)
		return
	value = list[last]
	delete list[last]
	return value
}

# array::append(list, more)
# Appends the values of the second list to the first; returns the new length.
function append(list, more,    last, at, number)
{
	last = length(list)
	number = length(more)
	for (at = 1; at <= number; at++)
		list[last + at] = more[at]
	return last + number
}

# array::slice(list, from, to, into)
# Fills into with the values from one index to another; returns their number. Negative indexes count from the end: -1 is the last.
function slice(list, from, to, into,    count, last)
{
	count = length(list)
	delete into
	if (from < 0)
		from = count + 1 + from
	if (to < 0)
		to = count + 1 + to
	if (from < 1)
		from = 1
	if (to > count)
		to = count
	last = 0
	for (; from <= to; from++)
		into[++last] = list[from]
	return last
}

# array::reverse(list)
# Reverses the list; returns its length.
function reverse(list,    low, high, value, count)
{
	count = length(list)
	high = count
	for (low = 1; low < high; low++) {
		value = list[low]
		list[low] = list[high]
		list[high--] = value
	}
	return count
}

# array::shuffle(list)
# Shuffles the list with rand(), each order equally likely; returns its length.
function shuffle(list,    at, other, value, count)
{
	count = length(list)
	for (at = count; at > 1; at--) {
		other = int(rand() * at) + 1
		value = list[at]
		list[at] = list[other]
		list[other] = value
	}
	return count
}

# array::range(from, to, list [, step])
# Fills list with the numbers from one to the other; returns their number.
function range(from, to, list, step,    last)
{
	delete list
	if (step == 0)
		step = from <= to ? 1 : -1
	last = 0
	for (; step > 0 ? from <= to : from >= to; from += step)
		list[++last] = from
	return last
}
