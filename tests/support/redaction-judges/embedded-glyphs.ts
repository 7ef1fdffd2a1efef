import { PdfDict } from '../pdf-syntax'
import { readComposite, readProgram, readSimple } from './font-facts'
import type { FontFacts } from './font-facts'
import type { FontProgram } from './font-program'
import { outlineKey, OutlinePen } from './outlines'
import { FontFileReader } from './shown-fonts'
import type { ShownFont } from './shown-fonts'

/** The outlines of all font programs and all Type 3 glyphs of a file, as `outlineKey` writes them. */
export function listOutlines(file: Buffer): string[] {
  const reader = new FontFileReader(file)
  const keys: string[] = []
  for (const { value } of reader.pdf.objects.values()) {
    if (!(value instanceof PdfDict)) continue
    for (const proc of reader.pdf.dict(value.get('CharProcs')).values()) keys.push(type3Key(reader.bytesOf(proc)))
    keys.push(...(readProgram(reader, value)?.outlines.map(outlineKey) ?? []))
  }
  return [...new Set(keys)].filter(key => key !== '')
}

/** What embedded subsets still reveal about characters that the file doesn't show, one line per font and kind. */
export function findGlyphProblems(file: Buffer, { isDense }: { isDense: boolean }): string[] {
  const reader = new FontFileReader(file)
  return reader.readFonts().flatMap(font => judgeFont(reader, font, isDense))
}

/** The points on the curve of a Type 3 glyph. */
function type3Key(content: Buffer | undefined): string {
  const pen = new OutlinePen()
  for (const { 1: numbers = '', 2: operator } of (content?.toString('latin1') ?? '').matchAll(
    /((?:-?[\d.]+\s+){2,6})([mlc])\b/g,
  )) {
    const [x = 0, y = 0] = numbers.trim().split(/\s+/).map(Number).slice(-2)
    if (operator === 'm') pen.move(x - pen.x, y - pen.y)
    else pen.line(x - pen.x, y - pen.y)
  }
  return outlineKey(pen.outline)
}

const isSubset = (name: string | undefined): boolean => /^[A-Z]{6}\+/.test(name ?? '')

function judgeFont(reader: FontFileReader, font: ShownFont, isDense: boolean): string[] {
  const { pdf } = reader
  const kind = pdf.text(font.dict.get('Subtype'))
  if (kind !== 'Type3' && !isSubset(pdf.text(font.dict.get('BaseFont')))) return []
  const facts = kind === 'Type0' ? readComposite(reader, font) : readSimple(reader, font)
  const { codes, listed, program } = facts
  const problems: [string, (string | number)[]][] = Object.entries(listed).map(([where, found]) => [
    where,
    found.filter(code => !codes.has(code)),
  ])
  if (program) problems.push(...judgeProgram(program, { ...facts, isDense }))
  if (isDense && codes.size > 0) problems.push(['gaps between codes', gapsIn([...codes])])
  return problems
    .filter(([, found]) => found.length > 0)
    .map(
      ([where, found]) =>
        `${String(kind)} ${where}: ${found
          .slice(0, 12)
          .map(one => (typeof one === 'number' && one < 0 ? -one - 1 : one))
          .join(' ')}`,
    )
}

function judgeProgram(
  program: FontProgram,
  { codes, glyphs, isDense }: FontFacts & { isDense: boolean },
): [string, (string | number)[]][] {
  const shown = new Set([0, ...glyphs])
  for (const gid of shown) for (const part of program.parts[gid] ?? []) shown.add(part)
  // A Type 1 program may have its `.notdef` at any index.
  if (program.names.length > 0)
    for (const [gid, name] of program.names.entries()) if (name === '.notdef') shown.add(gid)
  const all = program.outlines.map((_, gid) => gid)
  const others = all.filter(gid => !shown.has(gid))
  const problems: [string, (string | number)[]][] = [
    ['outlines that nothing shows', others.filter(gid => outlineKey(program.outlines[gid] ?? []) !== '')],
    ['advances that nothing needs', others.filter(gid => (program.advances[gid] ?? 0) !== 0)],
    ['names of glyphs', others.flatMap(gid => program.names[gid] ?? [])],
    ['CIDs of glyphs', others.flatMap(gid => program.cids?.[gid] ?? [])],
  ]
  for (const [name, cmap] of program.cmaps) {
    if (codes.size > 0 || cmap.size > 0)
      problems.push([`cmap ${name}`, [...cmap].filter(([, gid]) => !shown.has(gid)).map(([code]) => code)])
  }
  if (isDense) problems.push(['gaps between glyphs', others])
  return problems
}

/** The first printable code after the space. Numbering may begin there as well as at 1. */
const PRINTABLE = 33

/** Missing numbers between the first and the largest one. The space and codes that aren't printable may be missing. */
function gapsIn(numbers: readonly number[]): number[] {
  const held = new Set(numbers)
  const first = numbers.every(number => number >= PRINTABLE - 1) ? PRINTABLE : 1
  const all = Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1)
  return all.filter(
    number => number >= first && !held.has(number) && number !== PRINTABLE - 1 && !(number > 126 && number < 161),
  )
}
