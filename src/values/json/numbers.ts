/** Whether a number survived being read as a double. */

/** Whether `value`, written down again, is the number that `lexeme` says: not so for 12345678901234567890. */
export function isExact(lexeme: string, value: number): boolean {
  // A double holds any 15 digits; only an exponent may be too much.
  if (lexeme.length <= 15 && !/e/i.test(lexeme)) return true
  const written = String(value)
  if (written === lexeme) return true
  // `+Infinity` is what it says, 1e999 is not.
  if (!Number.isFinite(value)) return !/\d/.test(lexeme)
  return significant(lexeme) === significant(written)
}

/** Digits and exponent with nothing superfluous: `1.50` and `15e-1` are both `15e-1`. The sign is left out. */
function significant(lexeme: string): string {
  const [mantissa = '', exponent = '0'] = lexeme.replace(/^[+-]/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`
  let first = 0
  while (first < digits.length && digits[first] === '0') first++
  let last = digits.length
  while (last > first && digits[last - 1] === '0') last--
  if (first === last) return '0'
  return `${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`
}
