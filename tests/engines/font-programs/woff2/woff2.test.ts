import { readFile } from 'node:fs/promises'
import wawoff from 'wawoff2'
import { describe, expect, test } from 'vitest'
import { readSfntTables } from '../../../../engines/font-programs/true-type/sfnt'
import { decodeWoff2 } from '../../../../engines/font-programs/woff2/woff2'
import { findPackageFile } from '../../../../engines/package-file'
import { BY_REGION, BY_SCRIPT, EMOJI, MAIN, MAIN_ITALIC, SYMBOLS } from '../../../../engines/text/fonts-by-script'

const INTER = 'inter-ui/variable/InterVariable.woff2'

/** The tables without the sum over the whole file, which depends on the order of the tables. */
function tablesOf(font: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    [...readSfntTables(font)]
      .map(([tag, table]): [string, string] => {
        const copy = Buffer.from(table)
        if (tag === 'head') copy.writeUInt32BE(0, 8)
        return [tag, copy.toString('base64')]
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

describe('decodeWoff2', () => {
  const families = [MAIN, MAIN_ITALIC, ...BY_SCRIPT.values(), ...SYMBOLS, EMOJI, ...Object.values(BY_REGION)]
  const files = families.flatMap(({ files }) => [files[0], files.at(-1)].map(file => file?.specifier ?? ''))

  test.each([...new Set(files)])('restores the tables of %s as the reference decoder does', async specifier => {
    const file = await readFile(findPackageFile(specifier))
    const reference = await wawoff.decompress(file)
    const decoded = tablesOf(decodeWoff2(file))
    expect(Object.keys(decoded)).toEqual(Object.keys(tablesOf(reference)))
    for (const [tag, table] of Object.entries(tablesOf(reference))) expect(decoded[tag] === table, tag).toBe(true)
  })

  test('writes the checksum of the whole file', async () => {
    const font = decodeWoff2(await readFile(findPackageFile(INTER)))
    const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
    let sum = 0
    for (let at = 0; at < font.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
    expect(sum).toBe(0xb1b0afba)
  })

  test('refuses other files and cut ones', async () => {
    const file = await readFile(findPackageFile(INTER))
    expect(() => decodeWoff2(Buffer.from('wOFF, but not the second one of them all.'.padEnd(60)))).toThrow(
      'the file is not WOFF2 with one font',
    )
    expect(() => decodeWoff2(file.subarray(0, 40))).toThrow('outside of the font program')
    expect(() => decodeWoff2(file.subarray(0, 10_000))).toThrow('outside of the font program')
  })
})
