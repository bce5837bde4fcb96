import { describe, expect, it } from 'vitest'
import { validate } from '../../../src/values/schema/index.ts'

const isFormat = (text: string, format: string): boolean =>
  validate(text, { format }, { format: 'check' }).length === 0

const LABEL = 'a'.repeat(63)

const FORMATS: [format: string, fitting: string[], others: string[]][] = [
  [
    'date-time',
    [
      '2024-05-06T07:08:09Z',
      '2024-05-06t07:08:09.123+02:00',
      '1998-12-31T23:59:60Z',
      '1998-12-31T15:59:60-08:00',
    ],
    [
      '2024-05-06',
      '2024-05-06T07:08:09',
      '2024-05-06 07:08:09Z',
      '2024-05-06T07:08Z',
      '1998-12-31T23:58:60Z',
      '2024-05-06T07:08:09Z\n',
      '2024-13-06T07:08:09Z',
    ],
  ],
  [
    'date',
    ['2024-05-06', '2024-01-01', '2024-02-29', '2000-02-29', '0000-01-31', '2023-12-31'],
    [
      '2023-02-29',
      '1900-02-29',
      '2024-04-31',
      '2024-02-30',
      '2024-01-32',
      '2024-13-01',
      '2024-00-01',
      '2024-01-00',
      '2024-1-1',
      '24-01-01',
      '2024-01-01T',
    ],
  ],
  [
    'time',
    ['07:08:09Z', '23:59:59.999999-23:59', '00:00:00z', '08:29:60+08:30'],
    [
      '07:08:09',
      '24:00:00Z',
      '07:60:00Z',
      '07:08:61Z',
      '23:59:61Z',
      '07:08:09+24:00',
      '07:08:09+02:60',
      '07:08:09+0200',
      '07:08:60Z',
      '07:08:09.Z',
    ],
  ],
  [
    'email',
    ['a@example.com', "o'hara+tag@mail.example.co", 'a.b@xn--caf-dma.example'],
    [
      'a',
      '@example.com',
      'example.com',
      'a@',
      'a@b',
      'a..b@example.com',
      '.a@example.com',
      'a b@example.com',
      'a@-b.com',
      'a@b_c.com',
      'a@b@c.com',
      'a@b.com\n',
    ],
  ],
  [
    'uri',
    [
      ...[
        'https://example.com',
        'https://u:p@example.com:8080/a/b?c=d&e#f',
        'urn:isbn:0451450523',
        'mailto:a@b.c',
      ],
      ...[
        'http://[::1]:80/',
        'http://[::]',
        'http://[v7.a:b]/',
        'file:///etc/hosts',
        'http://a/%C3%A9',
        'a:/b//c',
        'x:?q?/#f?',
      ],
    ],
    [
      ...[
        'example.com',
        '/a',
        'https://a b',
        'http://a/é',
        'http://a/%zz',
        'http://a/%4',
        '1a:b',
        '',
        ':a',
        'http://[::1',
      ],
      ...[
        'http://[a]/',
        'http://a:b/',
        'http://a@b@c/',
        'http://a/#b#c',
        'http://a/[b]',
        'a:b\n',
        'http://[v7.]/%',
        'http://[v7.%41]/',
        'http://[v7.<]/',
        'http://a<b@c/',
        'http://<a@c/',
        'http://a/"b"',
      ],
    ],
  ],
  [
    'uuid',
    ['01234567-89ab-cdef-0123-456789ABCDEF'],
    [
      '01234567-89ab-cdef-0123-456789abcde',
      '0123456789abcdef0123456789abcdef',
      'g1234567-89ab-cdef-0123-456789abcdef',
      '{01234567-89ab-cdef-0123-456789abcdef}',
    ],
  ],
  [
    'ipv4',
    ['0.0.0.0', '192.168.0.255'],
    ['1.2.3', '1.2.3.4.5', '256.0.0.1', '01.2.3.4', '1.2.3.', '1.2.3.4\n', '1.2.3.1000'],
  ],
  [
    'ipv6',
    [
      '::',
      '::1',
      '1::',
      '2001:db8::ff00:42:8329',
      '1:2:3:4:5:6:7:8',
      '::ffff:1.2.3.4',
      '1:2:3:4:5:6:1.2.3.4',
      '1:2:3:4:5:6:7::',
    ],
    [
      '',
      ':',
      ':::',
      '1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '12345::',
      '::g',
      '1.2.3.4::',
      '1:2:3:4:5:6:7:1.2.3.4',
      '::1.2.3',
      'fe80::1%eth0',
      ':1::',
      '1::2:',
      '1:2:3:4:5:6:7:8::',
      '1::2:3:4:5:6::7:8',
    ],
  ],
  [
    'hostname',
    [
      'localhost',
      'example.com',
      'xn--caf-dma.example',
      '1.a',
      LABEL,
      `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(61)}`,
    ],
    [
      '',
      '-a',
      'a-',
      'a..b',
      'a_b',
      'é',
      'a.',
      `${LABEL}a`,
      `${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(62)}`,
      'a\n',
    ],
  ],
]

describe('a format', () => {
  it.each(FORMATS)('%s is checked', (format, fitting, others) => {
    expect([...fitting, ...others].filter((text) => isFormat(text, format))).toEqual(fitting)
  })

  it('is not checked by default', () => {
    expect(validate('a', { format: 'date' })).toEqual([])
    expect(validate('a', { format: 'date' }, { format: 'ignore' })).toEqual([])
  })

  it('is told where a text does not have it', () => {
    expect(validate({ on: 'a' }, { properties: { on: { format: 'date' } } }, { format: 'check' })).toEqual([
      { path: '/on', keyword: 'format', message: "must be of the format 'date'" },
    ])
  })

  it('is not asked of a number', () => {
    expect(validate(1, { format: 'date' }, { format: 'check' })).toEqual([])
  })

  it('is reported once if it is not known', () => {
    const unknown: string[] = []
    const onUnknownFormat = (format: string, path: string) => unknown.push(`${path} ${format}`)
    const schema = { items: { format: 'colour' } }
    expect(validate(['a', 'b'], schema, { format: 'check', onUnknownFormat })).toEqual([])
    expect(validate(['a', 'b'], schema, { onUnknownFormat })).toEqual([])
    expect(unknown).toEqual(['/0 colour'])
  })

  it.each(FORMATS)('%s takes time in proportion to the text', (format) => {
    for (const unit of ['a', '1', ':', '.', '-', '%41', 'a@', '1:', 'a.', 'a:'])
      expect(isFormat(`${unit.repeat(300_000)}\n`, format)).toBe(false)
  })
})
