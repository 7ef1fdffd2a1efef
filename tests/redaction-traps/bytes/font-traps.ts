import type { PdfWriter } from '../../fixtures/pdf-writer'
import { writeCffFixture } from '../../fixtures/cff-writer'
import { writeType1Fixture } from '../../fixtures/type1-writer'
import { lettersIn } from '../fonts/subset-parts'
import { writeCff, writeCharString } from '../fonts/write-cff'
import { writeTables, writeTrueType } from '../fonts/write-true-type'
import type { ByteTrap } from './byte-trap'

type Program = (secret: string) => Buffer

const SHOWN = 'AB'
const CODES = [65, 66]

/** Shows the letters of a font with this program. */
function shown(kind: 'TrueType' | 'Type1', key: string, entries: string, program: Buffer, pdf: PdfWriter) {
  const file = pdf.addStream(entries, program)
  const descriptor = `<</Type/FontDescriptor/FontName/Trap/Flags 4/FontBBox[0 0 1000 1000]/Ascent 900/Descent -200/CapHeight 700/StemV 80/ItalicAngle 0/${key} ${file} 0 R>>`
  const font = pdf.add(
    `<</Type/Font/Subtype/${kind}/BaseFont/Trap/FirstChar 65/LastChar 66/Widths[700 700]/FontDescriptor ${pdf.add(descriptor)} 0 R>>`,
  )
  return { content: `BT /F 20 Tf 5 10 Td (${SHOWN}) Tj ET`, resources: `/Font<</F ${font} 0 R>>` }
}

const trueType = (name: string, make: Program, plain: Buffer): ByteTrap => ({
  name: `TrueType: ${name}`,
  draw: (secret, pdf) => shown('TrueType', 'FontFile2', `/Length1 ${make(secret).length}`, make(secret), pdf),
  drawPlain: pdf => shown('TrueType', 'FontFile2', `/Length1 ${plain.length}`, plain, pdf),
})

/** Reads the tables of an OpenType file. */
function tablesOf(file: Buffer): Record<string, Buffer> {
  return Object.fromEntries(
    Array.from({ length: file.readUInt16BE(4) }, (_, index) => {
      const at = 12 + 16 * index
      const start = file.readUInt32BE(at + 8)
      return [file.toString('latin1', at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12))]
    }),
  )
}

/** Tables that programs of fonts have beside those that PDF needs, and an unknown one. */
const OTHER_TABLES =
  'name|meta|DSIG|PCLT|LTSH|VDMX|hdmx|kern|GSUB|GPOS|GDEF|BASE|JSTF|MATH|SVG |COLR|CPAL|sbix|CBDT|CBLC|EBDT|EBLC|EBSC|FFTM|' +
  'Silf|Feat|Gloc|Glat|Sill|bdat|bloc|feat|morx|mort|prop|trak|just|lcar|opbd|avar|cvar|fvar|gvar|HVAR|MVAR|STAT|VVAR|acnt|' +
  'bsln|fdsc|fmtx|fond|Zapf|xref|TTFA|QQQQ'

function trueTypeTraps(): ByteTrap[] {
  const letters = lettersIn(SHOWN)
  const cmap = { platform: 1, encoding: 0, glyphs: new Map(CODES.map((code, index) => [code, index + 1])) }
  const plain = writeTrueType({ letters, cmaps: [cmap] })
  const tables = tablesOf(plain)
  const withTables = (more: Record<string, Buffer>): Buffer => writeTables({ ...tables, ...more })
  const longer = (tag: string, secret: string): Buffer =>
    Buffer.concat([tables[tag] ?? Buffer.alloc(0), Buffer.from(secret)])
  const add = (name: string, make: Program): ByteTrap => trueType(name, make, plain)
  return [
    ...OTHER_TABLES.split('|').map(tag => add(`table ${tag}`, secret => withTables({ [tag]: Buffer.from(secret) }))),
    ...Object.keys(tables).map(tag => add(`after table ${tag}`, secret => withTables({ [tag]: longer(tag, secret) }))),
    add('after the last table', secret => Buffer.concat([plain, Buffer.from(secret)])),
    add('between tables', secret => {
      const count = plain.readUInt16BE(4)
      const gap = Buffer.from(secret.padEnd(12, 'x'))
      const head = Buffer.from(plain.subarray(0, 12 + 16 * count))
      for (let index = 0; index < count; index++) {
        const at = 12 + 16 * index + 8
        head.writeUInt32BE(head.readUInt32BE(at) + gap.length, at)
      }
      return Buffer.concat([head, gap, plain.subarray(head.length)])
    }),
    add('the maker in OS/2', secret =>
      withTables({ 'OS/2': Buffer.concat([Buffer.alloc(58), Buffer.from(secret), Buffer.alloc(30)]) }),
    ),
  ]
}

function cffTraps(): ByteTrap[] {
  const letters = lettersIn(SHOWN)
  const plain = writeCff({ letters, codes: CODES })
  const glyphs = [
    { key: '.notdef', charstring: Uint8Array.of(14) },
    ...letters.map(letter => ({ key: letter.name, charstring: Uint8Array.from(writeCharString(letter)) })),
  ]
  const codes = CODES
  const make: Record<string, Program> = {
    'the name of the font': secret => Buffer.from(writeCffFixture({ name: secret, glyphs, codes })),
    'after its end': secret => Buffer.concat([plain, Buffer.from(secret)]),
    'after its header': secret => {
      const file = Buffer.from(writeCffFixture({ glyphs, codes }))
      return Buffer.concat([file, Buffer.from(secret)])
    },
    'after the end of a charstring': secret =>
      Buffer.from(
        writeCffFixture({
          glyphs: glyphs.map(glyph => ({
            ...glyph,
            charstring: Buffer.concat([glyph.charstring, Buffer.from(secret)]),
          })),
          codes,
        }),
      ),
    'a charstring that is not shown': secret =>
      Buffer.from(
        writeCffFixture({
          glyphs: [...glyphs, { key: 'Z', charstring: Buffer.concat([Buffer.from([14]), Buffer.from(secret)]) }],
          codes,
        }),
      ),
    'a global subroutine that is not called': secret =>
      Buffer.from(writeCffFixture({ glyphs, codes, globalSubrs: [Buffer.from(secret)] })),
    'a local subroutine that is not called': secret =>
      Buffer.from(writeCffFixture({ glyphs, codes, localSubrs: [[Buffer.from(secret)]] })),
  }
  return Object.entries(make).map(([name, program]) => ({
    name: `CFF: ${name}`,
    draw: (secret, pdf) => shown('Type1', 'FontFile3', '/Subtype/Type1C', program(secret), pdf),
    drawPlain: pdf => shown('Type1', 'FontFile3', '/Subtype/Type1C', plain, pdf),
  }))
}

function type1Traps(): ByteTrap[] {
  const glyphs = { '.notdef': Uint8Array.of(139, 248, 136, 13, 14), A: Uint8Array.of(139, 248, 136, 13, 14) }
  const plain = writeType1Fixture({ glyphs, codes: { 65: 'A' } })
  const insertAfter = (mark: string, text: string): Buffer => {
    const at = plain.indexOf(mark) + mark.length
    return Buffer.concat([plain.subarray(0, at), Buffer.from(text), plain.subarray(at)])
  }
  const make: Record<string, Program> = {
    'a comment': secret => insertAfter('Fixture 001.001\n', `% ${secret}\n`),
    'a notice': secret => writeType1Fixture({ glyphs, codes: { 65: 'A' }, entries: `/Notice (${secret}) def\n` }),
    'a nested notice': secret =>
      writeType1Fixture({ glyphs, codes: { 65: 'A' }, entries: `/Notice (a (b (${secret}))) def\n` }),
    'a hexadecimal notice': secret =>
      writeType1Fixture({
        glyphs,
        codes: { 65: 'A' },
        entries: `/Notice <${Buffer.from(secret).toString('hex')}> def\n`,
      }),
    'an unknown key': secret => writeType1Fixture({ glyphs, codes: { 65: 'A' }, entries: `/${secret} 1 def\n` }),
    'a name as a value': secret => writeType1Fixture({ glyphs, codes: { 65: 'A' }, entries: `/XQ /${secret} def\n` }),
    'the name of the font': secret => writeType1Fixture({ glyphs, codes: { 65: 'A' }, name: secret }),
    'after its end': secret => Buffer.concat([plain, Buffer.from(secret)]),
    'between the zeros': secret => insertAfter('0'.repeat(64), `\n${secret}\n`),
  }
  const draw = (program: Buffer, pdf: PdfWriter) => {
    const clear = program.indexOf('currentfile eexec\n') + 18
    const lengths = `/Length1 ${clear}/Length2 ${program.length - clear - 532}/Length3 532`
    return shown('Type1', 'FontFile', lengths, program, pdf)
  }
  return Object.entries(make).map(([name, program]) => ({
    name: `Type 1: ${name}`,
    draw: (secret, pdf) => draw(program(secret), pdf),
    drawPlain: pdf => draw(plain, pdf),
  }))
}

/** Parts of a ToUnicode CMap (ISO 32000-2, 9.10.3) and of an encoding, with text that no reader uses. */
function mapTraps(): ByteTrap[] {
  const spots: Record<string, (secret: string) => string> = {
    'a comment': secret => `%${secret}\n`,
    'an unknown operator': secret => `(${secret}) XQ `,
    'an unknown key': secret => `/${secret} 1 def `,
    'a string under a key': secret => `/XQ (${secret}) def `,
    'its name': secret => `/CMapName /${secret} def `,
    'its version': secret => `/CMapVersion (${secret}) def `,
    'a collection': secret => `/CIDSystemInfo <</Registry (${secret})/Ordering (${secret})/Supplement 0>> def `,
    'a mapping of an unshown code': secret =>
      `1 beginbfchar <7a> <${Buffer.from(secret, 'utf16le').swap16().toString('hex')}> endbfchar `,
    'a code space': secret =>
      `1 begincodespacerange <${Buffer.from(secret).toString('hex')}> <${Buffer.from(secret).toString('hex')}> endcodespacerange `,
    'another map': secret => `/${secret} usecmap `,
  }
  const map = (text: string): string =>
    `begincmap ${text}1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <42> <0041> endbfrange endcmap`
  return Object.entries(spots).map(([name, write]) => ({
    name: `map: ${name}`,
    draw: (secret, pdf) => {
      const stream = pdf.addStream('', map(write(secret)))
      const font = pdf.add(`<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode ${stream} 0 R>>`)
      return { content: `BT /F 20 Tf 5 10 Td (${SHOWN}) Tj ET`, resources: `/Font<</F ${font} 0 R>>` }
    },
  }))
}

/** A trap for each table and part of each kind of font program, and of CMaps. */
export function listFontTraps(): ByteTrap[] {
  return [...trueTypeTraps(), ...cffTraps(), ...type1Traps(), ...mapTraps()]
}
