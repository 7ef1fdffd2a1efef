import type * as HarfBuzz from 'harfbuzzjs'
import { readFontFile } from './fonts-by-script'
import type { FontFamily, FontFile } from './fonts-by-script'
import { Face } from './face'
import type { OpenFont } from './face'
import { openSubsetter } from './subset'
import type { SubsetSource } from './subset'

const REGULAR = 400

/** The libraries that read fonts, compiled for this process. */
interface Tools {
  harfBuzz: typeof HarfBuzz
  openSubset: (font: Uint8Array) => SubsetSource
}

let opened: Promise<FontLibrary> | undefined

/** Opens the library of all fonts. The process reads each font file at its first use and keeps it. */
export function openFontLibrary(): Promise<FontLibrary> {
  return (opened ??= compile())
}

async function compile(): Promise<FontLibrary> {
  const [harfBuzz, openSubset] = await Promise.all([import('harfbuzzjs'), openSubsetter()])
  return new FontLibrary({ harfBuzz, openSubset })
}

/** Open fonts, and their faces by weight. */
export class FontLibrary {
  private readonly fonts = new Map<string, OpenFont>()
  /** The file that has a code point, by family and code point. Undefined if the family doesn't have it. */
  private readonly files = new Map<FontFamily, Map<number, FontFile | undefined>>()
  private readonly faces = new Map<string, Face>()
  private readonly buffer: HarfBuzz.Buffer

  constructor(private readonly tools: Tools) {
    this.buffer = new tools.harfBuzz.Buffer()
  }

  /**
   * Returns the face of a family that has all of these code points. Undefined if no file of the family has all of them.
   */
  find(family: FontFamily, codePoints: readonly number[], weight: number): Face | undefined {
    const [first, ...others] = codePoints
    const file = first === undefined ? family.files[0] : this.findFile(family, first)
    // Slices don't overlap. Only the slice with the first code point can have all of them.
    return file && others.every(codePoint => this.open(file).codePoints.has(codePoint))
      ? this.face(family, file, weight)
      : undefined
  }

  private findFile(family: FontFamily, codePoint: number): FontFile | undefined {
    let files = this.files.get(family)
    if (!files) this.files.set(family, (files = new Map()))
    if (!files.has(codePoint))
      files.set(
        codePoint,
        family.files.find(file => isInRanges(file, codePoint) && this.open(file).codePoints.has(codePoint)),
      )
    return files.get(codePoint)
  }

  private face(family: FontFamily, file: FontFile, weight: number): Face {
    const key = `${file.specifier} ${family.isVariable ? weight : REGULAR}`
    const known = this.faces.get(key)
    if (known) return known
    const isRegular = weight === REGULAR || !family.isVariable
    const face = new Face(
      this.tools.harfBuzz,
      this.buffer,
      this.open(file),
      isRegular ? family.name : `${family.name}-${weight}`,
      family.isVariable ? weight : undefined,
    )
    this.faces.set(key, face)
    return face
  }

  private open(file: FontFile): OpenFont {
    const known = this.fonts.get(file.specifier)
    if (known) return known
    const { harfBuzz, openSubset } = this.tools
    const bytes = readFontFile(file)
    const face = new harfBuzz.Face(new harfBuzz.Blob(bytes))
    let source: SubsetSource | undefined
    const font: OpenFont = {
      face,
      codePoints: new Set(face.collectUnicodes()),
      openSubset: () => (source ??= openSubset(bytes)),
    }
    this.fonts.set(file.specifier, font)
    return font
  }
}

function isInRanges({ ranges }: FontFile, codePoint: number): boolean {
  return ranges?.some(([first, last]) => codePoint >= first && codePoint <= last) ?? true
}
