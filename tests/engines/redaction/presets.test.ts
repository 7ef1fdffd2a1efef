import { describe, expect, it } from 'vitest'
import { findPreset, PRESETS } from '../../../engines/redaction/presets'
import type { Preset } from '../../../engines/redaction/presets'

const find = (preset: Preset, text: string): string[] => findPreset(preset, text).map(({ start, end }) => text.slice(start, end))

/** What a preset finds in a text, and what looks alike. */
const CASES: Record<Preset, { text: string; found: string[] }> = {
  email: { text: 'Write to jane.doe+x@mail.example.co.uk, or müller@bücher.example. Not @home, a@b or user@.', found: ['jane.doe+x@mail.example.co.uk', 'müller@bücher.example'] },
  phone: { text: 'Call +49 (0)30 123456, 0041 44 668 18 00, (212) 555-0123, 030/1234567 or 212-555-0199; not 12345, 2026-11-20, 01-02-2024, 1.234.567 or item 4711000.', found: ['+49 (0)30 123456', '0041 44 668 18 00', '(212) 555-0123', '030/1234567', '212-555-0199'] },
  iban: { text: 'Pay to DE89 3704 0044 0532 0130 00 BIC X, GB29NWBK60161331926819 or NO93 8601 1117 947; not DE88 3704 0044 0532 0130 00 nor ZZ89 3704 0044.', found: ['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'NO93 8601 1117 947'] },
  'credit-card': { text: 'Cards 4111 1111 1111 1111, 5500-0000-0000-0004 and 340000000000009; not 4111 1111 1111 1112 or 1234567890123.', found: ['4111 1111 1111 1111', '5500-0000-0000-0004', '340000000000009'] },
  ssn: { text: 'SSN 078-05-1120 and 219 09 9999; not 000-12-3456, 666-12-3456, 912-12-3456, 123-00-4567, 123-45-0000 or 1078-05-1120.', found: ['078-05-1120', '219 09 9999'] },
  date: { text: 'On 2026-11-20, 20.11.2026, 1/31/24, 3rd of May 2021, 5. März 2020, 14 juillet 1789 and December 24, 1999; not 99.99.2020 or 2026-13-45.', found: ['2026-11-20', '20.11.2026', '1/31/24', '3rd of May 2021', '5. März 2020', '14 juillet 1789', 'December 24, 1999'] },
  url: { text: 'See https://example.com/a?b=c#d, www.example.org. Not example.com or http:.', found: ['https://example.com/a?b=c#d', 'www.example.org'] },
  ipv4: { text: 'Hosts 192.0.2.17 and 8.8.8.8; not 300.1.1.1, 1.2.3 or 1.2.3.4.5.', found: ['192.0.2.17', '8.8.8.8'] },
  ipv6: { text: 'Hosts 2001:db8::8a2e:370:7334, fe80::1 and ::ffff:192.0.2.1; not 12:30, 1:2:3 or ::.', found: ['2001:db8::8a2e:370:7334', 'fe80::1', '::ffff:192.0.2.1'] },
  zip: { text: 'At Springfield, IL 62704 or 20500-0003; not 1234, 123456, 12345.67, 3-12345 or AB12345.', found: ['62704', '20500-0003'] },
  'vat-id': { text: 'VAT DE123456789, ATU12345678, FR12 345678901, NL123456789B01 and CHE-123.456.789 MWST; not DE12345 or XX123456789.', found: ['DE123456789', 'ATU12345678', 'FR12 345678901', 'NL123456789B01', 'CHE-123.456.789 MWST'] },
}

describe('presets', () => {
  for (const preset of PRESETS) {
    it(`find ${preset} and nothing that looks alike`, () => {
      expect(find(preset, CASES[preset].text)).toEqual(CASES[preset].found)
    })

    it(`take no long time over a text that is almost ${preset} everywhere`, () => {
      const text = ['0'.repeat(60_000), '1 '.repeat(30_000), 'a.'.repeat(30_000), `${'a'.repeat(60_000)}@`, ':1'.repeat(30_000), '(0) '.repeat(15_000), 'DE89 3704 '.repeat(6000)].join('x')
      const started = performance.now()
      find(preset, text)
      expect(performance.now() - started).toBeLessThan(2000)
    })
  }
})
