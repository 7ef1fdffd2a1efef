import { createHash } from 'node:crypto'
import { PDFString } from 'pdf-lib'
import type { PDFRef } from 'pdf-lib'
import { EngineError } from '../../errors'
import { keyOfCode } from '../content/code-keys'
import { addDeflatedStream } from '../document/deflated-stream'
import type { PdfDocument } from '../document/document'
import { writeToUnicode } from '../content/write-to-unicode'
import { isPlain } from './face'
import type { Cluster, EmbeddedCluster, Face } from './face'

/** A face that is embedded in a document, with the clusters used so far. */
interface EmbeddedFont {
  face: Face
  ref: PDFRef
  /** Codes by glyphs and text. A glyph that stands for several texts has a code for each of them. */
  codes: Map<string, number>
  /** The same codes by cluster object, for clusters that were encoded before. */
  codesOfClusters: Map<Cluster, number>
  /** Clusters by code. Code 0 is the glyph .notdef. */
  clusters: Cluster[]
}

/** The highest code of a font. Codes have two bytes (ISO 32000-2, 9.7.6.2). */
const LAST_CODE = 0xffff

const NOTHING: Cluster = { parts: [{ glyph: 0, dx: 0, dy: 0 }], advance: 0, text: '' }

const fontsOfDocuments = new WeakMap<PdfDocument, DocumentFonts>()

/**
 * Returns the embedded fonts of a document. All code that draws in the document shares this object. The fonts are
 * written when the document is saved, with the glyphs used until then. Each font is a Type 0 font with TrueType
 * outlines (ISO 32000-2, 9.7). Its /ToUnicode maps each code to text.
 */
export function fontsOf(document: PdfDocument): DocumentFonts {
  const known = fontsOfDocuments.get(document)
  if (known) return known
  const fonts = new DocumentFonts(document)
  fontsOfDocuments.set(document, fonts)
  return fonts
}

/** The embedded fonts of a document. See `fontsOf`. */
export class DocumentFonts {
  private readonly fonts = new Map<Face, EmbeddedFont>()

  /** Call `fontsOf` instead. */
  constructor(private readonly document: PdfDocument) {
    document.beforeSave(() => {
      for (const font of this.fonts.values()) this.write(font)
    })
  }

  /** The names of the faces that were used so far. */
  get names(): string[] {
    return Array.from(this.fonts.keys(), ({ name }) => name)
  }

  /** Returns the reference to the font object of a face. The object is complete once the document is saved. */
  refOf(face: Face): PDFRef {
    return this.fontOf(face).ref
  }

  /**
   * Returns the code that shows a cluster and maps to its text. Throws EngineError `too_large` if the font has no code
   * left.
   */
  encode(face: Face, cluster: Cluster): number {
    const font = this.fontOf(face)
    const known = font.codesOfClusters.get(cluster)
    if (known !== undefined) return known
    const code = this.codeOf(font, cluster)
    font.codesOfClusters.set(cluster, code)
    return code
  }

  private codeOf(font: EmbeddedFont, cluster: Cluster): number {
    const key = keyOf(cluster)
    const known = font.codes.get(key)
    if (known !== undefined) return known
    const code = font.clusters.length
    if (code > LAST_CODE)
      throw new EngineError('too_large', 'The text has too many different characters for one document. Use less text.')
    font.codes.set(key, code)
    font.clusters.push(cluster)
    return code
  }

  private fontOf(face: Face): EmbeddedFont {
    const known = this.fonts.get(face)
    if (known) return known
    const { document } = this
    const font: EmbeddedFont = {
      face,
      ref: document.register(document.context.obj({})),
      codes: new Map(),
      codesOfClusters: new Map(),
      clusters: [NOTHING],
    }
    this.fonts.set(face, font)
    return font
  }

  private write({ face, ref, clusters }: EmbeddedFont): void {
    const { document } = this
    const { context } = document
    const { file, glyphs } = face.embed(clusters)
    const name = `${tagOf(face, file)}+${face.name}`
    const descriptor = context.obj({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: boxOf(face, clusters),
      ItalicAngle: face.name.includes('Italic') ? -9 : 0,
      Ascent: Math.round(face.ascent),
      Descent: Math.round(face.descent),
      CapHeight: Math.round(face.capHeight),
      StemV: Math.round(50 + ((face.weight ?? 400) / 65) ** 2),
      FontFile2: addDeflatedStream(document, file, { Length1: file.length }),
      // PDF/A-1 requires /CIDSet (ISO 19005-1, 6.3.5).
      CIDSet: addDeflatedStream(document, writeCidSet(clusters.length)),
    })
    const descendant = context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: document.register(descriptor),
      DW: 0,
      W: [1, clusters.slice(1).map(cluster => face.advanceOf(cluster))],
      CIDToGIDMap: addDeflatedStream(document, Buffer.from(glyphs.flatMap(glyph => [glyph >> 8, glyph & 0xff]))),
    })
    const font = context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [document.register(descendant)],
      ToUnicode: addDeflatedStream(
        document,
        writeToUnicode(
          clusters.flatMap(({ text }, code) => (text === '' ? [] : [[keyOfCode(code, 2), readable(text)] as const])),
        ),
      ),
    })
    context.assign(ref, font)
  }
}

/** PDF/UA forbids U+FEFF here (ISO 14289-1, 7.21.7). The word joiner means the same (Unicode, 23.2). */
function readable(text: string): string {
  return text.replaceAll('\ufeff', '\u2060')
}

function keyOf(cluster: Cluster): string {
  if (isPlain(cluster)) return `${cluster.parts[0]?.glyph} ${cluster.text}`
  return `${cluster.parts.map(({ glyph, dx, dy }) => `${glyph},${dx},${dy}`).join(';')} ${cluster.advance} ${cluster.text}`
}

/** Returns the six letters that distinguish subsets (ISO 32000-2, 9.9.2). The same font file has the same letters. */
function tagOf(face: Face, file: Uint8Array): string {
  const digest = createHash('sha256').update(face.name).update(file).digest()
  return Array.from(digest.subarray(0, 6), byte => String.fromCharCode(65 + (byte % 26))).join('')
}

/** Returns a /CIDSet whose first `count` bits are set. The first CID is the highest bit (ISO 32000-1, table 124). */
function writeCidSet(count: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil(count / 8), 0xff)
  bytes[bytes.length - 1] = 0xff << (bytes.length * 8 - count)
  return bytes
}

function boxOf(face: Face, clusters: readonly EmbeddedCluster[]): number[] {
  const boxes = clusters.map(cluster => face.inkOf(cluster)).filter(box => box !== undefined)
  return [
    Math.floor(Math.min(0, ...boxes.map(box => box.left))),
    Math.floor(Math.min(face.descent, ...boxes.map(box => box.bottom))),
    Math.ceil(Math.max(0, ...boxes.map(box => box.right))),
    Math.ceil(Math.max(face.ascent, ...boxes.map(box => box.top))),
  ]
}
