import { openTrueType } from '../../fonts/programs/true-type/true-type'
import { joinTrueType } from '../../fonts/programs/true-type/join-true-type'
import { nameTrueType } from '../../fonts/programs/true-type/name-true-type'
import { BY_SCRIPT, findMetricFont, listRegionFiles, readFontFile } from '../../text/fonts-by-script'
import type { MetricFamily, Region } from '../../text/fonts-by-script'
import { openInstancer } from '../../text/subset'
import type { GivenFont } from '../pdfium/font-mapper'
import { findOrAdd } from '../../../map-entries'

const REGULAR = 400

/** A font that PDFium uses in place of one that isn't embedded. Its file is read at the first use and kept. */
export class SystemFont implements GivenFont {
  private file: Uint8Array | undefined
  private covered: ReadonlySet<number> | undefined

  constructor(
    /** The name by which PDFium tells fonts apart. */
    readonly name: string,
    private readonly read: () => Uint8Array,
    /** Whether PDFium looks for characters in another font if this one lacks them. It doesn't for CJK. */
    readonly hasFallback: boolean,
  ) {}

  /** A TrueType file with `name` as its family. */
  get bytes(): Uint8Array {
    return (this.file ??= nameTrueType(this.read(), this.name))
  }

  /** The code points that the font has. */
  get characters(): ReadonlySet<number> {
    if (this.covered) return this.covered
    const program = openTrueType(this.bytes)
    const glyphs = Array.from({ length: program?.glyphCount ?? 0 }, (_, glyph) => glyph)
    return (this.covered = new Set(glyphs.flatMap(glyph => program?.charactersOf(glyph) ?? [])))
  }
}

const opened = new Map<string, SystemFont>()

/** Returns the font of this name. Creates it the first time, and `read` is called when its bytes are first needed. */
function openOnce(name: string, read: () => Uint8Array, { hasFallback } = { hasFallback: true }): SystemFont {
  return findOrAdd(opened, name, () => new SystemFont(name, read, hasFallback))
}

/** Returns the font of this name. Undefined if PDFium hasn't been given one yet. */
export function findSystemFont(name: string): SystemFont | undefined {
  return opened.get(name)
}

/** Returns a font with the widths of Arial, Times New Roman or Courier New. */
export function openMetricFont(family: MetricFamily, look: { isBold: boolean; isItalic: boolean }): SystemFont {
  const style = `${look.isBold ? ' Bold' : ''}${look.isItalic ? ' Italic' : ''}`
  return openOnce(`Sheaf ${family}${style}`, () => readFontFile(findMetricFont(family, look)))
}

/** Returns the font of a script (ISO 15924). Undefined if the script has no font of its own. */
export function openScriptFont(script: string): SystemFont | undefined {
  const family = BY_SCRIPT.get(script)
  const [file] = family?.files ?? []
  return family && file && openOnce(`Sheaf ${family.name}`, () => readFontFile(file))
}

/**
 * Returns the font of a region, joined from its slices. The first use takes about a second. The file has about 5
 * MB.
 */
export function openRegionFont(region: Region): SystemFont {
  return openOnce(`Sheaf CJK ${region}`, () => joinSlices(region), { hasFallback: false })
}

/** Joins the files of a region, each with some of its characters, into one font of regular weight. */
function joinSlices(region: Region): Uint8Array {
  const pin = openInstancer()
  // The slices have 100 as their default weight.
  const slices = listRegionFiles(region).map(file => openTrueType(pin(readFontFile(file), { wght: REGULAR })))
  return joinTrueType(slices.filter(slice => slice !== undefined))
}
