import type * as HarfBuzz from 'harfbuzzjs'
import { addCompositeGlyphs } from './composite-glyphs'
import type { SubsetSource } from './subset'

/** A glyph at its place in a cluster, in units of its font. */
interface PlacedGlyph {
  glyph: number
  dx: number
  dy: number
}

/** What stands for one character as people see it: most often one glyph, more where a script puts letters together. */
export interface Cluster {
  /** In units of the font, from where the cluster begins; one at 0,0 where it is plain. */
  parts: PlacedGlyph[]
  /** In thousandths of the font size. */
  advance: number
  text: string
}

/** What of a cluster is embedded. */
export type EmbeddedCluster = Pick<Cluster, 'parts' | 'advance'>

/** What is shaped at once: a part of a text in one script and one direction. */
export interface Run {
  text: string
  start: number
  end: number
  /** ISO 15924. */
  script: string
  isRightToLeft: boolean
  /** BCP 47. */
  language: string | undefined
  /** OpenType features as CSS and HarfBuzz write them, such as `tnum`. */
  features: readonly string[]
}

/** A box around drawn glyphs, in thousandths of the font size. */
export interface Ink {
  left: number
  bottom: number
  right: number
  top: number
}

/** A font file as HarfBuzz has it, and what all weights of it share. */
export interface OpenFont {
  face: HarfBuzz.Face
  codePoints: ReadonlySet<number>
  openSubset: () => SubsetSource
}

/** A font file at one weight: what shapes text, and what is embedded. */
export class Face {
  /** Above and below the baseline, in thousandths of the font size; `descent` is negative. */
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  private readonly font: HarfBuzz.Font
  /** Thousandths of the font size in one unit of the font. */
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
    /** As PDF names it; with the weight, which tells faces of one file apart. */
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

  /** The clusters of a run from left to right. */
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
    // HarfBuzz keeps clusters in the order of the text, from its end to its start where it runs right to left.
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

  /** One object for all plain clusters that are the same: less to keep, and they can be told by their identity. */
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

  /** The shaped glyphs by the place in the text that they come from: those of one place stand together. */
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
   * The width that the embedded glyph has, in thousandths of the font size: that of the font, or the cluster's own
   * where the glyph is made for it.
   */
  advanceOf(cluster: EmbeddedCluster): number {
    return Math.round(this.unitsOf(cluster) * this.scale * 100) / 100
  }

  /**
   * The box that a cluster fills when the pen is at 0,0, in thousandths of the font size; undefined when it draws
   * nothing.
   */
  inkOf({ parts }: EmbeddedCluster): Ink | undefined {
    const box = this.boxOf(parts)
    if (!box) return undefined
    const [left, bottom, right, top] = box.map(value => value * this.scale)
    return { left: left ?? 0, bottom: bottom ?? 0, right: right ?? 0, top: top ?? 0 }
  }

  /**
   * A TrueType file that draws these clusters, and the number of each one's glyph in it: those of several parts become
   * glyphs of their own, so that one code stands for one character and its text.
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
      const { xBearing, yBearing, width, height } = extents // the height counts downwards
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

/** Clusters of one glyph that are shared: with other distances to what follows, or other texts. */
const MOST_SHARED = 32

/** Whether a glyph of the font shows the cluster as it is. */
export function isPlain({ parts }: EmbeddedCluster): boolean {
  const [first] = parts
  return parts.length === 1 && first?.dx === 0 && first.dy === 0
}
