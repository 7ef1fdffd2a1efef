import { describe, expect, it } from 'vitest'
import { baseName, downloadName } from '../../engines/file-name'

describe('baseName', () => {
  const names: Record<string, string> = {
    'report.pdf': 'report',
    'report.final.PDF': 'report.final',
    'C:\\Users\\me\\report.pdf': 'report',
    '/etc/passwd': 'passwd',
    '../../evil.pdf': 'evil',
    '..': 'document',
    '': 'document',
    '.pdf': 'document',
    '   ': 'document',
    'a/b/': 'b',
    'line\r\nbreak.pdf': 'line-break',
    'nul\0byte.pdf': 'nul-byte',
    'a:b*c?d"e<f>g|h.pdf': 'a-b-c-d-e-f-g-h',
    'żółć 日本語.pdf': 'żółć 日本語',
    'e\u0301.pdf': 'é',
    'right\u202eto-left.pdf': 'right-to-left',
    '.hidden.pdf': 'hidden',
    'no extension': 'no extension',
    'half \ud800 pair.pdf': 'half - pair',
  }
  for (const [given, expected] of Object.entries(names)) {
    it(`turns ${JSON.stringify(given)} into ${JSON.stringify(expected)}`, () => {
      expect(baseName(given)).toBe(expected)
    })
  }

  it('keeps at most 120 bytes and never splits a character', () => {
    expect(baseName(`${'a'.repeat(500)}.pdf`)).toBe('a'.repeat(120))
    expect(Buffer.byteLength(baseName(`${'日'.repeat(100)}.pdf`))).toBe(120)
    expect(baseName(`a${'😀'.repeat(60)}.pdf`)).toBe(`a${'😀'.repeat(29)}`)
  })
})

describe('downloadName', () => {
  it('appends the operation to the name of the input', () => {
    expect(downloadName('dir/report.pdf', 'merged', 'pdf', undefined)).toBe('report-merged.pdf')
  })

  it('uses the requested name, and adds a missing extension', () => {
    expect(downloadName('report.pdf', 'merged', 'pdf', 'mine')).toBe('mine.pdf')
    expect(downloadName('report.pdf', 'merged', 'pdf', 'mine.pdf')).toBe('mine.pdf')
    expect(downloadName('report.pdf', 'parts', 'zip', '../mine.zip')).toBe('mine.zip')
  })
})
