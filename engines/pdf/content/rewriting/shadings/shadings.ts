import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import { chainMatrices, readMatrix } from '../../../geometry/matrix'
import type { Matrix } from '../../../geometry/matrix'
import type { ContentFilter, Verdict } from '../content-filter'
import { readFunction } from './functions'
import { boundsOf, intersect, mapCorners } from '../../../geometry/geometry'
import type { Bounds } from '../../../geometry/geometry'
import { isGradient } from './gradient'
import { readBounds, readNumbers } from '../../../geometry/read-numbers'
import { eraseInShading, meetsHoles } from './erase-in-shading'
import { isSoftInside } from './shading-field'
import * as Name from '../../../syntax/names'
import { findOrAdd } from '../../../../map-entries'

/** Shading types (ISO 32000-2, table 77): function-based, and the first mesh type. */
const BY_POSITION = 1
const FIRST_MESH = 4

/** Largest lightness of a Lab color. The range of its components. */
const LAB_RANGE = 100

/** The decision on a shading at one place, and the shading to draw instead. */
export interface JudgedShading {
  verdict: Verdict
  instead?: PDFRef | undefined
}

/** A shading and the place where it is drawn. */
export interface ShadingUse {
  filter: ContentFilter
  value: PDFObject | undefined
  /** Maps the space of the shading to default user space of the page. */
  matrix: Matrix
  clip: Bounds
}

/**
 * Handles shadings under redaction areas (ISO 32000-2, 8.7.4.3). Sampled function-based shadings lose the samples under
 * the area. Other shadings can't be cut. Gradients stay, because they contain no information. For all others, the
 * filter's `doubt` is called.
 */
export class Shadings {
  private readonly cuts = new Map<string, PDFRef | 'same' | undefined>()
  private readonly gradients = new Map<PDFDict, boolean>()
  private readonly ids = new Map<PDFDict, number>()
  /** For each filter, whether parts of a shading stay and whether parts are removed. */
  private readonly uses = new WeakMap<ContentFilter, Map<PDFDict, { isKept: boolean; isRemoved: boolean }>>()

  constructor(private readonly document: PdfDocument) {}

  /** Decides what happens to the shading of an `sh` operator. */
  judge(place: ShadingUse): JudgedShading {
    const { filter, value, matrix, clip } = place
    const dict = this.document.peekDict(value)
    const bounds = filter.holes && dict ? this.visibleBoundsOf(dict, matrix, clip) : clip
    const verdict = filter.decide({ kind: 'shading', bounds, clip, em: 0 })
    if (!filter.holes || !dict) return { verdict }
    if (this.typeOf(dict) === BY_POSITION) {
      // Samples under an area are removed even if this clipping path hides them, because another one may show them.
      return verdict === 'remove' ? { verdict } : this.cut(place, dict)
    }
    if (verdict === 'cut' && !this.isGradient(dict)) filter.doubt?.()
    this.record(filter, value, { isKept: verdict !== 'remove', isRemoved: verdict !== 'keep' })
    return { verdict }
  }

  /** Removes the part of a pattern's shading under redaction areas. Undefined if all of it stays. */
  cutPattern({ filter, value, matrix }: Omit<ShadingUse, 'clip'>): PDFRef | undefined {
    const dict = this.document.peekDict(value)
    if (!filter.holes || !dict || this.typeOf(dict) !== BY_POSITION) return undefined
    return this.cut({ filter, value, matrix }, dict).instead
  }

  /** Records whether content painted with a shading stays or is removed. */
  record(
    filter: ContentFilter,
    value: PDFObject | undefined,
    { isKept, isRemoved }: { isKept: boolean; isRemoved: boolean },
  ): void {
    const dict = this.document.peekDict(value)
    if (!filter.holes || !dict || this.typeOf(dict) === BY_POSITION) return
    const uses = findOrAdd(this.uses, filter, () => new Map())
    const before = uses.get(dict)
    const now = { isKept: isKept || before?.isKept === true, isRemoved: isRemoved || before?.isRemoved === true }
    uses.set(dict, now)
    if (now.isKept && now.isRemoved && !this.isGradient(dict)) filter.doubt?.()
  }

  /** Returns whether a shading contains more than a gradient: samples, a mesh, a program, or rows of an image. */
  saysSomething(value: PDFObject | undefined): boolean {
    const dict = this.document.peekDict(value)
    return dict !== undefined && (this.typeOf(dict) === BY_POSITION || !this.isGradient(dict))
  }

  private cut({ filter, matrix }: Pick<ShadingUse, 'filter' | 'value' | 'matrix'>, dict: PDFDict): JudgedShading {
    const { document } = this
    const domain = this.domainOf(dict)
    const place = {
      domain,
      matrix: chainMatrices(readMatrix(document, dict.get(Name.Matrix)), matrix),
      holes: filter.holes ?? [],
    }
    if (!meetsHoles(boundsOf(mapCorners(place.matrix, domain)), place.holes)) return { verdict: 'keep' }
    const key = [this.idOf(dict), filter.key, ...place.matrix].join(' ')
    const isKnown = this.cuts.has(key)
    const result = isKnown ? this.cuts.get(key) : eraseInShading(document, dict, place)
    this.cuts.set(key, result)
    const isUncut = result === undefined && !isKnown
    if (isUncut && !isSoftInside(document, dict, { ...place, scale: this.scaleOf(dict) })) filter.doubt?.()
    return { verdict: 'cut', instead: result === 'same' ? undefined : result }
  }

  /** The bounds of the visible part of a shading, in the space of `clip`. */
  private visibleBoundsOf(dict: PDFDict, matrix: Matrix, clip: Bounds): Bounds {
    const box = readBounds(this.document, dict.get(Name.BBox))
    const clipInBox = box ? intersect(clip, boundsOf(mapCorners(matrix, box))) : clip
    const mesh = this.typeOf(dict) >= FIRST_MESH ? meshBoundsOf(this.document, dict) : undefined
    if (mesh) return intersect(clipInBox, boundsOf(mapCorners(matrix, mesh)))
    if (this.typeOf(dict) !== BY_POSITION) return clipInBox
    const domainToPage = chainMatrices(readMatrix(this.document, dict.get(Name.Matrix)), matrix)
    return intersect(clipInBox, boundsOf(mapCorners(domainToPage, this.domainOf(dict))))
  }

  /** Returns whether a shading is a gradient: axial or radial with few turns along its line. Meshes never count. */
  private isGradient(dict: PDFDict): boolean {
    return findOrAdd(this.gradients, dict, () => this.typeOf(dict) < FIRST_MESH && this.isGradientAlong(dict))
  }

  private isGradientAlong(dict: PDFDict): boolean {
    const shade = readFunction(this.document, dict.get(Name.Function))
    const [from = 0, to = 1] = readNumbers(this.document, dict.get(Name.Domain)) ?? []
    return shade !== undefined && isGradient(shade, [from, to], this.scaleOf(dict))
  }

  private domainOf(dict: PDFDict): Bounds {
    const [left = 0, right = 1, bottom = 0, top = 1] = readNumbers(this.document, dict.get(Name.Domain)) ?? []
    return { left, right, bottom, top }
  }

  private typeOf(dict: PDFDict): number {
    return this.document.peekNumber(dict.get(Name.ShadingType)) ?? 0
  }

  private scaleOf(dict: PDFDict): number {
    const space = this.document.peek(dict.get(Name.ColorSpace))
    return space instanceof PDFArray && this.document.peek(space.get(0)) === Name.Lab ? LAB_RANGE : 1
  }

  private idOf(dict: PDFDict): number {
    const id = this.ids.get(dict) ?? this.ids.size
    this.ids.set(dict, id)
    return id
  }
}

/** The bounds of all possible points of a mesh, in its own space. Undefined if the shading isn't a mesh. */
function meshBoundsOf(document: PdfDocument, value: PDFObject | undefined): Bounds | undefined {
  const [x1, x2, y1, y2] = readNumbers(document, document.peekDict(value)?.get(Name.Decode)) ?? []
  if (x1 === undefined || x2 === undefined || y1 === undefined || y2 === undefined) return undefined
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}
