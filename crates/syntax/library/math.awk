# Numbers, and the statistics of an array's values.
#
# A function of an array takes its values as numbers, whatever the keys are. What an empty array has no answer to is nothing assigned,
# which prints as nothing and equals "".

@namespace "math"

# math::abs(x)
function abs(x)
{
	return x < 0 ? -x : x + 0
}

# math::sign(x)
# The sign of x: -1, 0 or 1.
function sign(x)
{
	return (x > 0) - (x < 0)
}

# math::min(a, b)
function min(a, b)
{
	a += 0
	b += 0
	return b < a ? b : a
}

# math::max(a, b)
function max(a, b)
{
	a += 0
	b += 0
	return b > a ? b : a
}

# math::clamp(x, low, high)
# x limited to the range from low to high.
function clamp(x, low, high)
{
	return max(low, min(x, high))
}

# math::floor(x)
# x rounded down to a whole number.
function floor(x,    whole)
{
	whole = int(x)
	return whole > x + 0 ? whole - 1 : whole
}

# math::ceil(x)
# x rounded up to a whole number.
function ceil(x,    whole)
{
	whole = int(x)
	return whole < x + 0 ? whole + 1 : whole
}

# math::round(x [, digits])
# x rounded to a number of decimal places, by default 0; halves away from zero. With -2 digits, to hundreds.
function round(x, digits,    scale, whole)
{
	if (digits < 0) {
		scale = 10 ^ -digits
		return round(x / scale) * scale
	}
	if (x < 0)
		return -round(-x, digits)
	scale = 10 ^ digits
	whole = int(x * scale)
	if (x * scale - whole >= 0.5)
		whole++
	return whole / scale
}

# math::mod(a, n)
# a modulo n, with the sign of n: mod(-1, 7) is 6.
function mod(a, n,    rest)
{
	rest = a % n
	return rest != 0 && (rest < 0) != (n < 0) ? rest + n : rest
}

# math::gcd(a, b)
# The greatest common divisor of two whole numbers.
function gcd(a, b,    rest)
{
	while (b != 0) {
		rest = a % b
		a = b
		b = rest
	}
	return abs(a)
}

# math::log2(x)
function log2(x,    guess)
{
	guess = log(x) / log(2)
	return 2 ^ round(guess) == x ? round(guess) : guess
}

# math::log10(x)
function log10(x,    guess)
{
	guess = log(x) / log(10)
	return 10 ^ round(guess) == x ? round(guess) : guess
}

# math::pi()
function pi()
{
	return atan2(0, -1)
}

# math::sum(array)
# The sum of the values, with compensation of rounding errors (Neumaier): ten times 0.1 is 1.
function sum(array,    key, x, total, next_total, lost)
{
	total = lost = 0
	for (key in array) {
		x = array[key] + 0
		next_total = total + x
		if (abs(total) >= abs(x))
			lost += (total - next_total) + x
		else
			lost += (x - next_total) + total
		total = next_total
	}
	# Of infinities and NaN there is nothing lost to add.
	return total - total == 0 ? total + lost : total
}

# math::product(array)
function product(array,    key, total)
{
	total = 1
	for (key in array)
		total *= array[key]
	return total
}

# math::least(array)
function least(array,    key, found, any)
{
	for (key in array)
		if (!any++ || array[key] + 0 < found)
			found = array[key] + 0
	return found
}

# math::greatest(array)
function greatest(array,    key, found, any)
{
	for (key in array)
		if (!any++ || array[key] + 0 > found)
			found = array[key] + 0
	return found
}

# math::mean(array)
function mean(array,    count)
{
	count = length(array)
	if (count > 0)
		return sum(array) / count
}

# math::median(array)
# The middle value, or the mean of the two middle values.
function median(array)
{
	return percentile(array, 50)
}

# math::percentile(array, p)
# The p-th percentile, interpolated linearly: of 1 and 2, the 50th is 1.5.
function percentile(array, p,    count, sorted, place, below)
{
	count = awk::asort(array, sorted, "@val_num_asc")
	if (count == 0)
		return
	place = 1 + (count - 1) * clamp(p, 0, 100) / 100
	below = int(place)
	if (below >= count)
		return sorted[count] + 0
	return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below])
}

# math::variance(array)
# The sample variance: squared deviations from the mean, divided by the number of values minus 1.
function variance(array,    count)
{
	count = length(array)
	if (count > 1)
		return squares(array) / (count - 1)
}

# math::stddev(array)
# The sample standard deviation: the square root of the variance.
function stddev(array)
{
	if (length(array) > 1)
		return sqrt(variance(array))
}

# math::pvariance(array)
# The population variance: divided by the number of values.
function pvariance(array,    count)
{
	count = length(array)
	if (count > 0)
		return squares(array) / count
}

# math::pstddev(array)
# The population standard deviation.
function pstddev(array)
{
	if (length(array) > 0)
		return sqrt(pvariance(array))
}

# The squares of the distances from the mean, added up. Numbers far from 0 lose nothing by it, as they do in sum(x * x) - n * mean^2.
function squares(array,    key, middle, total)
{
	middle = mean(array)
	total = 0
	for (key in array)
		total += (array[key] - middle) ^ 2
	return total
}
