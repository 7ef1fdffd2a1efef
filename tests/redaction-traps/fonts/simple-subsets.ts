import { toCubic } from './letter-shapes'
import type { LetterShape } from './letter-shapes'
import { addDescriptor, encodeWith, lettersIn, mapped, NAME } from './subset-parts'
import type { AddSubset, Meaning } from './subset-parts'
import { writeCff } from './write-cff'
import { writeTrueType } from './write-true-type'
import { writeType1 } from './write-type1'

/** Codes of letters: their character codes, or 1, 2, 3 in subset order. */
type Codes = 'own' | 'counted'
const codesOf = (letters: readonly LetterShape[], codes: Codes): number[] =>
  letters.map(({ character }, index) => (codes === 'own' ? character.charCodeAt(0) : index + 1))

interface SimplePlan {
  codes: Codes
  meaning?: Meaning
}

function widthsOf(letters: readonly LetterShape[], codes: readonly number[]): string {
  const [first, last] = [Math.min(...codes), Math.max(...codes)]
  const widths = Array.from({ length: last - first + 1 }, (_, at) => letters[codes.indexOf(first + at)]?.advance ?? 0)
  return `/FirstChar ${first}/LastChar ${last}/Widths[${widths.join(' ')}]`
}

/** A simple TrueType font. `names` adds glyph names to /Differences and `post`. */
export const addTrueType =
  ({
    codes: kind,
    meaning = 'mapped',
    cmap,
    isNonsymbolic = false,
    hasNames = false,
  }: SimplePlan & { cmap: [number, number, number]; isNonsymbolic?: boolean; hasNames?: boolean }): AddSubset =>
  (pdf, text) => {
    const letters = lettersIn(text)
    const codes = codesOf(letters, kind)
    const [platform, encoding, offset] = cmap
    const glyphs = new Map(letters.map((_, index) => [offset + (codes[index] ?? 0), index + 1]))
    const file = pdf.addStream('', writeTrueType({ letters, cmaps: [{ platform, encoding, glyphs }], hasNames }))
    const descriptor = addDescriptor(pdf, `/FontFile2 ${file} 0 R`, '', isNonsymbolic ? 32 : 4)
    const differences = hasNames
      ? `/Encoding<</Type/Encoding/Differences[${letters.map(({ name }, index) => `${codes[index] ?? 0}/${name}`).join(' ')}]>>`
      : ''
    const base = isNonsymbolic && !hasNames ? '/Encoding/WinAnsiEncoding' : differences
    return {
      ref: pdf.add(
        `<</Type/Font/Subtype/TrueType/BaseFont/${NAME}${widthsOf(letters, codes)}/FontDescriptor ${descriptor} 0 ` +
          `R${base}${mapped(pdf, { letters, codes, bytes: 1, kind: meaning })}>>`,
      ),
      encode: encodeWith(letters, codes, 1),
    }
  }

/** A simple font with a bare CFF program. `hasDifferences` stores the codes in the font instead of the program. */
export const addSimpleCff =
  ({ codes: kind, meaning = 'mapped', hasDifferences = false }: SimplePlan & { hasDifferences?: boolean }): AddSubset =>
  (pdf, text) => {
    const letters = lettersIn(text)
    const codes = codesOf(letters, kind)
    const file = pdf.addStream('/Subtype/Type1C', writeCff({ letters, codes }))
    const descriptor = addDescriptor(
      pdf,
      `/FontFile3 ${file} 0 R`,
      `/CharSet(${letters.map(({ name }) => `/${name}`).join('')})`,
    )
    return {
      ref: pdf.add(
        `<</Type/Font/Subtype/Type1/BaseFont/${NAME}${widthsOf(letters, codes)}/FontDescriptor ${descriptor} 0 ` +
          `R${differencesOf(letters, codes, hasDifferences)}${mapped(pdf, { letters, codes, bytes: 1, kind: meaning })}>>`,
      ),
      encode: encodeWith(letters, codes, 1),
    }
  }

function differencesOf(letters: readonly LetterShape[], codes: readonly number[], hasDifferences: boolean): string {
  return hasDifferences
    ? `/Encoding<</Type/Encoding/Differences[${letters.map(({ name }, index) => `${codes[index] ?? 0}/${name}`).join(' ')}]>>`
    : ''
}

/** A simple font with a Type 1 program. */
export const addType1 =
  ({ codes: kind, meaning = 'mapped', hasDifferences = false }: SimplePlan & { hasDifferences?: boolean }): AddSubset =>
  (pdf, text) => {
    const letters = lettersIn(text)
    const codes = codesOf(letters, kind)
    const { data, lengths } = writeType1(letters, codes)
    const file = pdf.addStream(`/Length1 ${lengths[0]}/Length2 ${lengths[1]}/Length3 ${lengths[2]}`, data)
    const descriptor = addDescriptor(
      pdf,
      `/FontFile ${file} 0 R`,
      `/CharSet(${letters.map(({ name }) => `/${name}`).join('')})`,
    )
    return {
      ref: pdf.add(
        `<</Type/Font/Subtype/Type1/BaseFont/${NAME}${widthsOf(letters, codes)}/FontDescriptor ${descriptor} 0 ` +
          `R${differencesOf(letters, codes, hasDifferences)}${mapped(pdf, { letters, codes, bytes: 1, kind: meaning })}>>`,
      ),
      encode: encodeWith(letters, codes, 1),
    }
  }

/** A Type 3 font. Its glyphs have the names of their letters, or `g1`, `g2` and so on. */
export const addType3 =
  ({ codes: kind, meaning = 'mapped', hasNames = false }: SimplePlan & { hasNames?: boolean }): AddSubset =>
  (pdf, text) => {
    const letters = lettersIn(text)
    const codes = codesOf(letters, kind)
    const names = letters.map(({ name }, index) => (hasNames ? name : `g${index + 1}`))
    const drawings = letters.map(letter => pdf.addStream('', drawType3(letter)))
    const procs = names.map((name, index) => `/${name} ${drawings[index] ?? 0} 0 R`).join('')
    const differences = names.map((name, index) => `${codes[index] ?? 0}/${name}`).join(' ')
    return {
      ref: pdf.add(
        '<</Type/Font/Subtype/Type3/FontBBox[0 -300 1100 1000]/FontMatrix[.001 0 0 .001 0 ' +
          `0]/CharProcs<<${procs}>>/Encoding<</Type/Encoding/Differences[${differences}]>>${widthsOf(letters, codes)}/Resources<<>>${mapped(pdf, { letters, codes, bytes: 1, kind: meaning })}>>`,
      ),
      encode: encodeWith(letters, codes, 1),
    }
  }

function drawType3({ advance, outline }: LetterShape): string {
  const paths = outline.map(contour => {
    const steps = toCubic(contour).map(points => `${points.join(' ')} ${points.length === 2 ? 'l' : 'c'}`)
    return `${contour[0]?.x ?? 0} ${contour[0]?.y ?? 0} m ${steps.join(' ')} h`
  })
  return `${advance} 0 0 -300 1100 1000 d1\n${paths.join('\n')}${paths.length > 0 ? '\nf' : ''}`
}
