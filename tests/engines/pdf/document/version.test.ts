import { describe, expect, it } from 'vitest'
import { Draft, numbered } from '../../../fixtures/draft'
import { makePng } from '../../../fixtures/png'
import { readPdfjsClaims } from '../../../support/pdfjs-claims'
import { runOn } from '../../../support/run-on'

/** A file that states these versions. */
function versioned(header: string, catalog?: string): Buffer {
  const draft = new Draft({ salt: `${header} ${catalog}` })
  if (catalog) draft.catalog.push(`/Version/${catalog}`)
  draft.finish()
  return draft.pdf.write({ root: draft.root, version: header })
}

/** The version in the header, and the version that PDF.js reads from header and catalog. */
async function versionsAfter(tool: string, files: Buffer | Buffer[], options: unknown = {}): Promise<string[]> {
  const { bytes } = await runOn(tool, files, options)
  return [bytes.subarray(5, 8).toString('latin1'), (await readPdfjsClaims(bytes)).version]
}

describe('the version of a file', () => {
  it.each([
    [[versioned('1.3')], '1.3'],
    [[versioned('1.7')], '1.7'],
    [[versioned('1.4', '1.7')], '1.7'],
    [[versioned('2.0', '1.4')], '2.0'],
    [[versioned('1.4', 'damaged')], '1.4'],
  ])('is the version that header and catalog state (%#)', async ([file], version) => {
    const versions = await versionsAfter('rotate-pdf', file as Buffer, { angle: 90 })
    expect(versions[0]).toBe(version)
  })

  it('is the highest version of all merged files', async () => {
    expect(await versionsAfter('merge-pdf', [versioned('1.3'), versioned('1.4', '1.6'), versioned('1.5')])).toEqual([
      '1.6',
      '1.6',
    ])
    expect((await versionsAfter('merge-pdf', [versioned('1.4', '1.5'), versioned('1.7')]))[0]).toBe('1.7')
  })

  it('is at least the version that an edit needs', async () => {
    const old = versioned('1.3')
    const png = makePng({ width: 2, height: 2, colorType: 2, bits: 16, pixel: () => [1, 2, 3] })
    const image = { name: 'a.png', dataBase64: png.toString('base64') }
    for (const [options, version] of [
      [{ text: 'A', opacity: 1 }, '1.3'],
      [{ text: 'A', opacity: 0.5 }, '1.4'],
      [{ text: 'A', opacity: 1, outline: true }, '1.4'],
      [{ text: 'A', opacity: 1, visibility: 'screen' }, '1.5'],
      [{ type: 'image', image, opacity: 1, position: 'center' }, '1.5'],
    ] as const) {
      expect((await versionsAfter('add-watermark', old, options))[0], JSON.stringify(options).slice(0, 60)).toBe(
        version,
      )
    }
    expect((await versionsAfter('page-numbers', old, { opacity: 0.5 }))[0]).toBe('1.4')
  })

  it('is the version of a stamped page, if higher', async () => {
    const stamp = { name: 'a.pdf', dataBase64: versioned('1.4', '1.7').toString('base64') }
    const options = { type: 'pdf', stamp, opacity: 1, position: 'center' }
    expect((await versionsAfter('add-watermark', numbered(), options))[0]).toBe('1.7')
  })
})
