/** The values of the keyword `format` that can be checked. Each check takes time in proportion to the text. */

export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['email', isEmail],
  ['uri', isUri],
  ['uuid', (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['hostname', isHostname],
])

/** `2024-05-06T07:08:09Z`, as RFC 3339 has it. */
function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /[Tt]/.test(text.charAt(10)) && isTime(text.slice(11))
}

/** `2024-05-06` */
function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  if (month! < 1 || month! > 12 || day! < 1) return false
  return day! <= (month === 2 ? (isLeapYear(year!) ? 29 : 28) : LONG_MONTHS.has(month!) ? 31 : 30)
}

const LONG_MONTHS: ReadonlySet<number> = new Set([1, 3, 5, 7, 8, 10, 12])

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** `07:08:09.5+02:00`. A leap second is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (found === null) return false
  const [hour, minute, second] = found.slice(1).map(Number) as [number, number, number]
  const [east, south] = found.slice(5).map((part) => Number(part ?? 0)) as [number, number]
  if (hour > 23 || minute > 59 || second > 60 || east > 23 || south > 59) return false
  const shift = (found[4] === '-' ? -1 : 1) * (60 * east + south)
  return second < 60 || (60 * hour + minute - shift + MINUTES) % MINUTES === MINUTES - 1
}

const MINUTES = 24 * 60

/** `name@example.com`: not every address that mail servers accept, but those that people have. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  const isName = (part: string): boolean => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part)
  return at !== -1 && text.slice(0, at).split('.').every(isName) && domain.includes('.') && isHostname(domain)
}

/** `xn--caf-dma.example`: labels of up to 63 letters, digits and dashes. */
function isHostname(text: string): boolean {
  const isLabel = (label: string): boolean =>
    label.length <= 63 && /^[\da-z-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-')
  return text.length <= 253 && text.split('.').every(isLabel)
}

function isIpv4(text: string): boolean {
  const isByte = (part: string): boolean => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256
  const parts = text.split('.')
  return parts.length === 4 && parts.every(isByte)
}

/** Eight groups, of which `::` stands for one or more; the last two may be written as IPv4. */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const isMixed = last.includes('.') && text.endsWith(last)
  const plain = isMixed ? groups.slice(0, -1) : groups
  const count = plain.length + (isMixed ? 2 : 0)
  if (halves.length > 2 || (halves.length === 2 ? count > 7 : count !== 8)) return false
  return (!isMixed || isIpv4(last)) && plain.every((group) => /^[\da-f]{1,4}$/i.test(group))
}

/** `https://example.com:8080/a?b#c`: an address with its scheme, as RFC 3986 has it. */
function isUri(text: string): boolean {
  const parts = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text)
  if (parts === null) return false
  const [, , authority = '', path = '', query = '', fragment = ''] = parts
  const at = authority.indexOf('@')
  const [, host = '', port] = /^(\[.*\]|[^:]*)(?::(.*))?$/s.exec(authority.slice(at + 1))!
  const isHost = host.startsWith('[') ? isIpLiteral(host.slice(1, -1)) : isWritten(host, '')
  const isPort = port === undefined ? true : /^\d*$/.test(port)
  const isUser = isWritten(authority.slice(0, Math.max(at, 0)), ':')
  return isUser && isHost && isPort && isWritten(path, ':@/') && isWritten(query + fragment, ':@/?')
}

function isIpLiteral(text: string): boolean {
  return isIpv6(text) || (/^v[\da-f]+\./i.test(text) && isWritten(text, ':') && !text.includes('%'))
}

/** Whether each character may stand in a part of an address, is one of the others, or is escaped. */
function isWritten(text: string, others: string): boolean {
  const plain = text.replace(/%[\da-f]{2}/gi, '')
  return [...plain].every((one) => /[\w.~!$&'()*+,;=-]/.test(one) || others.includes(one))
}
