import type * as HarfBuzz from 'harfbuzzjs'
import { addCompositeGlyphs } from './composite-glyphs'
import type { SubsetSource } from './subset'

/** A glyph with its offset in a cluster, in font units. */
interface PlacedGlyph {
  glyph: number
  dx: number
  dy: number
}

/**
 * The glyphs that show one user-perceived character. Most clusters have one glyph. Some scripts combine letters into
 * clusters of several glyphs.
 */
export interface Cluster {
  /** The glyphs, with offsets from the start of the cluster. A plain cluster has one glyph at 0,0. */
  parts: PlacedGlyph[]
  /** Advance width in thousandths of the font size. */
  advance: number
  text: string
}

/** The properties of a cluster that its embedded glyph depends on. */
export type EmbeddedCluster = Pick<Cluster, 'parts' | 'advance'>

/** A part of a text in one script and one direction. It is shaped at once. */
export interface Run {
  text: string
  start: number
  end: number
  /** Script tag (ISO 15924). */
  script: string
  isRightToLeft: boolean
  /** Language tag (BCP 47). */
  language: string | undefined
  /** OpenType features in the syntax of CSS and HarfBuzz, such as `tnum`. */
  features: readonly string[]
}

/** The bounding box of drawn glyphs, in thousandths of the font size. */
export interface Ink {
  left: number
  bottom: number
  right: number
  top: number
}

/** A font file opened by HarfBuzz, with the data that all of its weights share. */
export interface OpenFont {
  face: HarfBuzz.Face
  codePoints: ReadonlySet<number>
  openSubset: () => SubsetSource
}

/** A font file at one weight. Shapes text and produces the font files to embed. */
export class Face {
  /** Distances from the baseline, in thousandths of the font size. `descent` is negative. */
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  private readonly font: HarfBuzz.Font
  /** Thousandths of the font size per font unit. */
  private readonly scale: number
  private readonly advances = new Map<number, number>()
  private readonly extents = new Map<number, HarfBuzz.GlyphExtents | undefined>()
  private readonly features = new Map<string, HarfBuzz.Feature>()
  private readonly plain = new Map<number, Cluster[]>()
  private subset: SubsetSource | undefined

  constructor(
    private readonly library: typeof HarfBuzz,
    private readonly buffer: HarfBuzz.Buffer,
    private readonly open: OpenFont,
    /**
     * The name of the font in a PDF. It includes the weight, so that the faces of one file differ. Regular faces omit
     * it.
     */
    readonly name: string,
    readonly weight: number | undefined,
  ) {
    this.font = new library.Font(open.face)
    if (weight !== undefined) this.font.setVariations([new library.Variation('wght', weight)])
    this.scale = 1000 / open.face.upem
    const extents = this.font.hExtents()
    this.ascent = extents.ascender * this.scale
    this.descent = extents.descender * this.scale
    this.capHeight = (this.font.getMetricPosition(library.MetricsTag.CAP_HEIGHT) ?? 0) * this.scale || 700
  }

  has(codePoint: number): boolean {
    return this.open.codePoints.has(codePoint)
  }

  /** Returns the clusters of a run from left to right. */
  shape({ text, start, end, script, isRightToLeft, language, features }: Run): Cluster[] {
    const { library, buffer } = this
    buffer.reset()
    buffer.addText(text, start, end - start)
    buffer.setDirection(isRightToLeft ? library.Direction.RTL : library.Direction.LTR)
    buffer.setScript(script)
    buffer.setLanguage(language ?? 'en')
    library.shape(
      this.font,
      buffer,
      features.map(feature => this.featureOf(feature)),
    )
    const clusters = this.gather(buffer)
    // HarfBuzz returns clusters in the order of the text. In right-to-left runs, the order is reversed.
    const following = isRightToLeft ? -1 : 1
    return clusters.map(({ start: at, parts, advance }, index) => {
      const next = clusters[index + following]?.start ?? end
      return this.share({ parts, advance: advance * this.scale, text: text.slice(at, next) })
    })
  }

  private featureOf(name: string): HarfBuzz.Feature {
    const known = this.features.get(name)
    if (known) return known
    const feature = new this.library.Feature(name, 1)
    this.features.set(name, feature)
    return feature
  }

  /** Returns one shared object for equal plain clusters. This saves memory and lets callers cache results by object. */
  private share(cluster: Cluster): Cluster {
    const glyph = cluster.parts[0]?.glyph
    if (glyph === undefined || !isPlain(cluster)) return cluster
    const known = this.plain.get(glyph)
    const same = known?.find(one => one.advance === cluster.advance && one.text === cluster.text)
    if (same) return same
    if (!known) this.plain.set(glyph, [cluster])
    else if (known.length < MOST_SHARED) known.push(cluster)
    return cluster
  }

  /** Groups the shaped glyphs by the position in the text that they come from. */
  private gather(buffer: HarfBuzz.Buffer): { start: number; parts: PlacedGlyph[]; advance: number }[] {
    const positions = buffer.getGlyphPositions()
    const clusters: { start: number; parts: PlacedGlyph[]; advance: number }[] = []
    for (const [index, { codepoint: glyph, cluster: start }] of buffer.getGlyphInfos().entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      let cluster = clusters.at(-1)
      if (cluster?.start !== start) clusters.push((cluster = { start, parts: [], advance: 0 }))
      cluster.parts.push({ glyph, dx: cluster.advance + xOffset, dy: yOffset })
      cluster.advance += xAdvance
    }
    return clusters
  }

  /**
   * Returns the advance width of the embedded glyph, in thousandths of the font size. Plain clusters have the advance
   * width of the font. Other clusters have a separate glyph with their own advance width.
   */
  advanceOf(cluster: EmbeddedCluster): number {
    return Math.round(this.unitsOf(cluster) * this.scale * 100) / 100
  }

  /**
   * Returns the bounding box of a cluster at 0,0, in thousandths of the font size. Undefined if the cluster draws
   * nothing.
   */
  inkOf({ parts }: EmbeddedCluster): Ink | undefined {
    const box = this.boxOf(parts)
    if (!box) return undefined
    const [left, bottom, right, top] = box.map(value => value * this.scale)
    return { left: left ?? 0, bottom: bottom ?? 0, right: right ?? 0, top: top ?? 0 }
  }

  /**
   * Returns a TrueType file that draws these clusters, and the glyph ID of each cluster. Each cluster that isn't plain
   * gets a composite glyph, so that one code stands for one character and its text.
   */
  embed(clusters: readonly EmbeddedCluster[]): { file: Uint8Array; glyphs: number[] } {
    this.subset ??= this.open.openSubset()
    const kept = new Set([0, ...clusters.flatMap(cluster => cluster.parts.map(part => part.glyph))])
    const composites = clusters.filter(cluster => !isPlain(cluster))
    const { font, firstGlyph } = addCompositeGlyphs(
      this.subset(kept, this.weight === undefined ? {} : { wght: this.weight }),
      composites.map(cluster => ({
        components: cluster.parts,
        advance: this.unitsOf(cluster),
        box: this.boxOf(cluster.parts) ?? [0, 0, 0, 0],
      })),
    )
    let next = firstGlyph
    return { file: font, glyphs: clusters.map(cluster => (isPlain(cluster) ? (cluster.parts[0]?.glyph ?? 0) : next++)) }
  }

  private unitsOf(cluster: EmbeddedCluster): number {
    const [first] = cluster.parts
    return isPlain(cluster) && first
      ? this.glyphAdvance(first.glyph)
      : Math.max(0, Math.round(cluster.advance / this.scale))
  }

  private glyphAdvance(glyph: number): number {
    const known = this.advances.get(glyph)
    if (known !== undefined) return known
    const advance = this.font.glyphHAdvance(glyph)
    this.advances.set(glyph, advance)
    return advance
  }

  private extentsOf(glyph: number): HarfBuzz.GlyphExtents | undefined {
    const known = this.extents.get(glyph)
    if (known !== undefined || this.extents.has(glyph)) return known
    const extents = this.font.glyphExtents(glyph)
    this.extents.set(glyph, extents)
    return extents
  }

  private boxOf(parts: readonly PlacedGlyph[]): [number, number, number, number] | undefined {
    let box: [number, number, number, number] | undefined
    for (const { glyph, dx, dy } of parts) {
      const extents = this.extentsOf(glyph)
      if (!extents || extents.width === 0 || extents.height === 0) continue
      const { xBearing, yBearing, width, height } = extents // `height` is negative, because it counts downwards
      const [left, bottom, right, top] = box ?? [Infinity, Infinity, -Infinity, -Infinity]
      box = [
        Math.min(left, dx + xBearing),
        Math.min(bottom, dy + yBearing + height),
        Math.max(right, dx + xBearing + width),
        Math.max(top, dy + yBearing),
      ]
    }
    return box
  }
}

/** Maximum number of shared clusters per glyph. They differ in their advance width or their text. */
const MOST_SHARED = 32

/** Returns whether a cluster is a single glyph of the font without an offset. */
export function isPlain({ parts }: EmbeddedCluster): boolean {
  const [first] = parts
  return parts.length === 1 && first?.dx === 0 && first.dy === 0
}
