/** Numbers as text: whether one survives being read as a double, and how JSON writes it. */

/** Whether `value`, written down again, is the number that `lexeme` says: not so for 12345678901234567890. */
export function isExact(lexeme: string, value: number): boolean {
  // A double holds any 15 digits; only an exponent may be too much.
  if (lexeme.length <= 15 && !/e/i.test(lexeme)) return true
  const written = String(value)
  if (written === lexeme) return true
  return significant(lexeme) === significant(written)
}

/**
 * Whether a number that was written can be told from its value alone: it is the value, rounded to as many digits as it was
 * written with. So 0.10000000000000001 is 0.1, as other languages write it, and 19.99999999999999999999 is not 20.
 */
export function isHeld(lexeme: string, value: number): boolean {
  if (isExact(lexeme, value)) return true
  const written = significant(lexeme)
  const digits = written.indexOf('e')
  return digits !== -1 && digits <= 100 && written === significant(value.toPrecision(digits))
}

/** The integer that a number is, with all its digits; undefined for a fraction. */
export function integerOf(lexeme: string): bigint | undefined {
  const [digits = '', exponent = '0'] = significant(lexeme).split('e')
  const zeros = Number(exponent)
  return zeros < 0 || zeros > MOST_ZEROS
    ? undefined
    : BigInt(`${lexeme.startsWith('-') ? '-' : ''}${digits}${'0'.repeat(zeros)}`)
}

/** No double is larger than 1e309. */
const MOST_ZEROS = 400

/** A decimal number as JSON writes it: `+.5` is 0.5, and `007` is 7. */
export function jsonNumber(decimal: string): string {
  const [, sign, whole, fraction = '', exponent = ''] =
    /^([+-]?)0*(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(decimal) ?? []
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}${exponent}`
}

/** Whether a number is 0, and not one that is too small for a double: `-0.0`, unlike `-1e-400`. */
export function isZero(lexeme: string): boolean {
  return !/^[^eE]*[1-9]/.test(lexeme)
}

/** Digits and exponent with nothing superfluous: `1.50` and `15e-1` are both `15e-1`. The sign is left out. */
function significant(lexeme: string): string {
  const [mantissa = '', exponent = '0'] = lexeme.replace(/^[+-]/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`
  let first = 0
  while (digits[first] === '0') first++
  let last = digits.length
  while (last > first && digits[last - 1] === '0') last--
  if (first === last) return '0'
  return `${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`
}
