# Arrays: their keys and values in order, and new ones made of them.
#
# A list is an array with the keys 1, 2, 3 and so on. Orders are those of asort and of PROCINFO["sorted_in"]: "@ind_str_asc",
# "@val_num_desc" and so on, or the name of a function that compares. An array that is filled loses all that it held.

@namespace "array"

# array::keys(array, list [, order])
# The keys become a list, in the order of their texts or in another; how many.
function keys(array, list, order)
{
	return awk::asorti(array, list, order == "" ? "@ind_str_asc" : order)
}

# array::values(array, list [, order])
# The values become a list, in the order of their keys, numbers before texts, or in another; how many.
function values(array, list, order)
{
	return awk::asort(array, list, order == "" ? "@ind_num_asc" : order)
}

# array::by_value(array, list [, order])
# The keys become a list, that of the least value first, or in another order; how many.
function by_value(array, list, order)
{
	return awk::asorti(array, list, order == "" ? "@val_num_asc" : order)
}

# array::top(array, count, list)
# The keys of so many of the greatest values become a list, that of the greatest first; how many.
function top(array, count, list,    found)
{
	found = awk::asorti(array, list, "@val_num_desc")
	for (; found > count && found > 0; found--)
		delete list[found]
	return found
}

# array::copy(from, to)
# The second array becomes the same as the first, arrays in it too; how many elements that are no arrays.
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
# Whether both have the same keys with the same values, arrays in them too.
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
# Whether an element has this value.
function contains(array, value,    key)
{
	for (key in array)
		if (array[key] == value)
			return 1
	return 0
}

# array::index_of(list, value)
# Where the value first stands in a list; 0 when it does not.
function index_of(list, value,    at, count)
{
	count = length(list)
	for (at = 1; at <= count; at++)
		if (list[at] == value)
			return at
	return 0
}

# array::count(array, into)
# How often each value is there, by value; how many values.
function count(array, into,    key)
{
	delete into
	for (key in array)
		into[array[key]]++
	return length(into)
}

# array::group(array, into)
# The keys of each value, by value: into[value] is a list, in the order of the keys; how many values.
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
# Each value becomes a key, and its key the value: of several the last in the order of keys; how many.
function invert(array, into,    order, number, at)
{
	delete into
	number = awk::asorti(array, order, "@ind_num_asc")
	for (at = 1; at <= number; at++)
		into[array[order[at]]] = order[at]
	return length(into)
}

# array::unique(list, into)
# The values of a list become another, each once, where it first stood; how many.
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
# The value comes after the last; how many there are then.
function push(list, value,    last)
{
	last = length(list) + 1
	list[last] = value
	return last
}

# array::pop(list)
# The last value, which is taken away; nothing of an empty list.
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
# The values of the second list come after those of the first; how many there are then.
function append(list, more,    last, at, number)
{
	last = length(list)
	number = length(more)
	for (at = 1; at <= number; at++)
		list[last + at] = more[at]
	return last + number
}

# array::slice(list, from, to, into)
# The values from one place to another become a list; how many. Places below 0 count from the end, -1 being the last.
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
# The last value becomes the first; how many.
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
# Any order, each as likely as another, by rand(); how many.
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
# The numbers from one to the other become a list; how many.
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
