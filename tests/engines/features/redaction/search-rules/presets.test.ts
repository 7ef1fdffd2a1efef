import { describe, expect, it, vi } from 'vitest'
import { findPreset, PRESETS } from '../../../../../engines/features/redaction/search-rules/presets'
import type { Preset } from '../../../../../engines/features/redaction/search-rules/presets'

const find = (preset: Preset, text: string): string[] =>
  findPreset(preset, text).map(({ start, end }) => text.slice(start, end))

/** The matches of a preset in a text, and look-alikes. */
const CASES: Record<Preset, { text: string; found: string[] }> = {
  email: {
    text: 'Write to jane.doe+x@mail.example.co.uk, or müller@bücher.example. Not @home, a@b or user@.',
    found: ['jane.doe+x@mail.example.co.uk', 'müller@bücher.example'],
  },
  phone: {
    text:
      'Call +49 (0)30 123456, 0041 44 668 18 00, (212) 555-0123, 030/1234567 or 212-555-0199; not 12345, 2026-11-20, ' +
      '01-02-2024, 1.234.567 or item 4711000.',
    found: ['+49 (0)30 123456', '0041 44 668 18 00', '(212) 555-0123', '030/1234567', '212-555-0199'],
  },
  iban: {
    text:
      'Pay to DE89 3704 0044 0532 0130 00 BIC X, GB29NWBK60161331926819 or NO93 8601 1117 947; not DE88 3704 0044 ' +
      '0532 0130 00 nor ZZ89 3704 0044.',
    found: ['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'NO93 8601 1117 947'],
  },
  'credit-card': {
    text: 'Cards 4111 1111 1111 1111, 5500-0000-0000-0004 and 340000000000009; not 4111 1111 1111 1112 or 1234567890123.',
    found: ['4111 1111 1111 1111', '5500-0000-0000-0004', '340000000000009'],
  },
  ssn: {
    text:
      'SSN 078-05-1120 and 219 09 9999; not 000-12-3456, 666-12-3456, 912-12-3456, 123-00-4567, 123-45-0000 or ' +
      '1078-05-1120.',
    found: ['078-05-1120', '219 09 9999'],
  },
  date: {
    text:
      'On 2026-11-20, 20.11.2026, 1/31/24, 3rd of May 2021, 5. März 2020, 14 juillet 1789 and December 24, 1999; not ' +
      '99.99.2020 or 2026-13-45.',
    found: [
      '2026-11-20',
      '20.11.2026',
      '1/31/24',
      '3rd of May 2021',
      '5. März 2020',
      '14 juillet 1789',
      'December 24, 1999',
    ],
  },
  url: {
    text: 'See https://example.com/a?b=c#d, www.example.org. Not example.com or http:.',
    found: ['https://example.com/a?b=c#d', 'www.example.org'],
  },
  ipv4: { text: 'Hosts 192.0.2.17 and 8.8.8.8; not 300.1.1.1, 1.2.3 or 1.2.3.4.5.', found: ['192.0.2.17', '8.8.8.8'] },
  ipv6: {
    text: 'Hosts 2001:db8::8a2e:370:7334, fe80::1 and ::ffff:192.0.2.1; not 12:30, 1:2:3 or ::.',
    found: ['2001:db8::8a2e:370:7334', 'fe80::1', '::ffff:192.0.2.1'],
  },
  zip: {
    text: 'At Springfield, IL 62704 or 20500-0003; not 1234, 123456, 12345.67, 3-12345 or AB12345.',
    found: ['62704', '20500-0003'],
  },
  'vat-id': {
    text:
      'VAT DE123456789, ATU12345678, FR12 345678901, NL123456789B01 and CHE-123.456.789 MWST; not DE12345 or ' +
      'XX123456789.',
    found: ['DE123456789', 'ATU12345678', 'FR12 345678901', 'NL123456789B01', 'CHE-123.456.789 MWST'],
  },
}

/** Texts that almost match everywhere, longer than any match. */
const HOSTILE = [
  'a',
  'a@',
  'a.',
  'a.\n',
  '0',
  '0 ',
  '1 ',
  '030 12 ',
  '+49 ( ',
  '(+1',
  '(0) ',
  'www.a/\n',
  'http://a(',
  'DE ',
  'DE89 3704 ',
  '12. ',
  ':1',
  '2024-01-0',
  '[at]',
  'order ',
  '4111-',
  ' at a.',
  '1. de ',
].map(part => part.repeat(1500 / part.length))

/**
 * Watches the regular expressions that search a text during `work`. Counts the characters that they pass on the way to
 * their matches, and lists those that repeat something without a limit.
 */
function watchExpressions(text: string, work: () => void) {
  const sources = new Set<string>()
  let passed = 0
  const { exec } = RegExp.prototype
  const watch = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, searched: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, searched)
    passed += this.sticky ? 1 : (found?.index ?? searched.length) - from + 1
    if (searched.length > text.length / 2) sources.add(this.source)
    return found
  })
  work()
  watch.mockRestore()
  const isUnbounded = (source: string) => /[*+]|\{\d+,\}/.test(source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, ''))
  return { passed, unbounded: [...sources].filter(isUnbounded) }
}

describe('presets', () => {
  for (const preset of PRESETS) {
    it(`find ${preset} and no look-alikes`, () => {
      expect(find(preset, CASES[preset].text)).toEqual(CASES[preset].found)
    })

    it(`take linear time on text that is built to slow ${preset} down`, () => {
      for (const text of HOSTILE) {
        const watch = (searched: string) => watchExpressions(searched, () => find(preset, searched))
        const [one, two] = [watch(text), watch(text + text)]
        expect(two.unbounded).toEqual([])
        expect(two.passed / one.passed, text.slice(0, 9)).toBeLessThan(2.1)
      }
    })
  }

  it('find values that continue on the next line, without the sentence after them', () => {
    expect(find('url', 'see https://example.com/reports/\n2024/annual.pdf and more')).toEqual([
      'https://example.com/reports/\n2024/annual.pdf',
    ])
    expect(find('url', 'see https://example.com/search?q=a&\npage=2.')).toEqual([
      'https://example.com/search?q=a&\npage=2',
    ])
    expect(find('url', 'see https://example.com/reports.\nThe next sentence')).toEqual(['https://example.com/reports'])
    expect(find('url', 'see https://example.com/\nand the next')).toEqual(['https://example.com/'])
    expect(find('url', 'see https://example.com\nwhich is well-known')).toEqual(['https://example.com'])
    expect(find('url', '(see https://example.org/wiki/Act_(2004))')).toEqual(['https://example.org/wiki/Act_(2004)'])
    expect(find('email', 'to jane.doe@\nexample.com now')).toEqual(['jane.doe@\nexample.com'])
    expect(find('email', 'to jane.doe@example.com.\nThe next')).toEqual(['jane.doe@example.com'])
    expect(find('email', 'jane [dot] doe (at) example [dot] co [dot] uk now')).toEqual([
      'jane [dot] doe (at) example [dot] co [dot] uk',
    ])
    expect(find('iban', 'DE89 3704 0044\n0532 0130 00')).toEqual(['DE89 3704 0044\n0532 0130 00'])
    expect(find('iban', 'de89-3704-0044-0532-0130-00, de89.3704.0044.0532.0130.00')).toEqual([
      'de89-3704-0044-0532-0130-00',
      'de89.3704.0044.0532.0130.00',
    ])
    expect(find('credit-card', '3782 822463 10005, 4111.1111\n1111-1111 12/27')).toEqual([
      '3782 822463 10005',
      '4111.1111\n1111-1111',
    ])
    expect(find('ssn', '219099998 and order 219099998 and 219-09-\n9998')).toEqual(['219099998'])
    expect(find('date', 'at 2024-03-01T12:30:00Z, 2024-03-01 12:30 and 2024-03-01T12:30:00.123+01:00')).toEqual([
      '2024-03-01T12:30:00Z',
      '2024-03-01 12:30',
      '2024-03-01T12:30:00.123+01:00',
    ])
  })

  it.each<[Preset, string[], string[]]>([
    [
      'date',
      ['31 December 2024', '1 May 2020', '31.12.2024', '12/31/2024', '01/01/2024', '2024-12-31', '31/12/99'],
      ['32 December 2024', '00/10/2024', '10/00/2024', '13/13/2024', '32/12/2024', '12/32/2024', '1-2-24'],
    ],
    ['date', ['01.01.1200', '31.12.2199', '1200-01-01', '2199-12-31'], ['01.01.1199', '01.01.2200', '1199-01-01']],
    ['credit-card', ['4222222222222', '4000000000000000006'], ['40000000000000000006']],
    [
      'phone',
      ['0123-45-67-89', '0123-4567-890', '0123 4567'],
      ['0123-4567-89', '0123-45678-901', '0123 45', '01-23-45'],
    ],
  ])('find %s up to its limits', (preset, values, others) => {
    for (const value of values) expect(find(preset, `see ${value} now`), value).toEqual([value])
    for (const value of others) expect(find(preset, `see ${value} now`), value).toEqual([])
  })

  it.each([
    ['https://example.com/long-', 'name', true],
    ['https://example.com/long-', 'Name', false],
    ['https://example.com/long-', '/Name', true],
    ['https://example.com/a.', 'html', true],
    ['https://example.com/a.', 'Then', false],
    ['www.example.', 'com', true],
    ['https://example.', 'com', true],
    ['https://files.', 'example.org/a', true],
    ['https://example.com.', 'then', false],
    ['https://example.com/', 'name2', true],
    ['https://example.com/', 'www.example.org', false],
    ['https://example.com/', 'a@b.com', false],
    ['https://example.com/a', 'b=c', true],
    ['https://example.com/a', 'well-known', false],
    ['https://example.com', '/path', true],
    ['https://example.com/a,', 'b=c', false],
    ['https://example.com/?', 'Name', true],
    ['https://example.com/', 'of', false],
  ])('the URL %s continues with the next line "%s": %s', (url, next, continues) => {
    expect(find('url', `see ${url}\n${next}`)[0]).toBe(continues ? `${url}\n${next}` : url.replace(/[.,?-]$/, ''))
  })

  it('find phone numbers in the formats of many countries, and no parts of other numbers', () => {
    const numbers = [
      '020 7946 0958',
      '07700 900123',
      '030/1234567',
      '0171-1234567',
      '01 23 45 67 89',
      '06.12.34.56.78',
      '612 34 56 78',
      '06 12345678',
      '0470 12 34 56',
      '044 668 18 00',
      '0664 1234567',
      '22 123 45 67',
      '08-123 456 78',
      '22 12 34 56',
      '040 123 4567',
      '21 123 4567',
      '085 123 4567',
      '(02) 9876 5432',
      '98765 43210',
      '(11) 91234-5678',
      '03-1234-5678',
      '(212) 555-0123',
    ]
    for (const number of numbers) expect(find('phone', `Call ${number} today.`)).toEqual([number])
    expect(
      find(
        'phone',
        'DE89 3704 0044 0532 0130 00, 4111 1111 1111 1111, 01.02.2024, 612 345 678 EUR, ISBN 0-306-40615-2',
      ),
    ).toEqual([])
  })
})
