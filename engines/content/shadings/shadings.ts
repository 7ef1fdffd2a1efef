import { PDFArray, PDFName } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf-core/document/document'
import { chainMatrices, readMatrix } from '../../pdf-core/geometry/matrix'
import type { Matrix } from '../../pdf-core/geometry/matrix'
import type { ContentFilter, Verdict } from '../content-filter'
import { readFunction } from './functions'
import { boundsOf, intersect, mapCorners } from '../geometry/geometry'
import type { Bounds } from '../geometry/geometry'
import { isGradient } from './gradient'
import { meshBoundsOf } from './mesh-shadings'
import { readBounds, readNumbers } from '../geometry/read-numbers'
import { cutShading, meetsHoles } from './shading-cut'
import { isSoftInside } from './shading-field'

const name = (text: string): PDFName => PDFName.of(text)
const [SHADING_TYPE, FUNCTION, DOMAIN, MATRIX] = [name('ShadingType'), name('Function'), name('Domain'), name('Matrix')]
const [BBOX, COLOR_SPACE, LAB] = [name('BBox'), name('ColorSpace'), name('Lab')]

/** Shading types (ISO 32000-2, table 77): colors by a function of both coordinates, and the first mesh. */
const BY_PLACE = 1
const FIRST_MESH = 4

/** The largest lightness of a Lab color, by which its components are measured. */
const LAB_RANGE = 100

/** What becomes of a shading at one place: the verdict, and the shading to draw in its place. */
export interface JudgedShading {
  verdict: Verdict
  instead?: PDFRef | undefined
}

/** A shading where it is drawn. */
export interface ShadingPlace {
  decider: ContentFilter
  value: PDFObject | undefined
  /** From the space that the shading is set in to the user space of the page. */
  matrix: Matrix
  clip: Bounds
}

/**
 * Shadings under areas (ISO 32000-2, 8.7.4.3). Those whose colors are samples of the plane lose the samples under the
 * area. Others can't be cut: gradients stay, because they say nothing, and for all others the decider is told its
 * doubts.
 */
export class Shadings {
  private readonly cuts = new Map<string, PDFRef | 'same' | undefined>()
  private readonly gradients = new Map<PDFDict, boolean>()
  private readonly ids = new Map<PDFDict, number>()
  /** Shadings of which a part went and a part stays, by who decided. */
  private readonly uses = new WeakMap<ContentFilter, Map<PDFDict, { stays: boolean; goes: boolean }>>()

  constructor(private readonly document: PdfDocument) {}

  /** What becomes of what `sh` draws. */
  judge(place: ShadingPlace): JudgedShading {
    const { decider, value, matrix, clip } = place
    const dict = this.document.peekDict(value)
    const bounds = decider.holes && dict ? this.boundsOf(dict, matrix, clip) : clip
    const verdict = decider.decide({ kind: 'shading', bounds, clip, em: 0 })
    if (!decider.holes || !dict) return { verdict }
    if (this.typeOf(dict) === BY_PLACE) {
      // The samples go wherever they lie under an area, whether this clip shows them or another one.
      return verdict === 'remove' ? { verdict } : this.cut(place, dict)
    }
    if (verdict === 'cut' && !this.isGradient(dict)) decider.doubt?.()
    this.note(decider, value, { stays: verdict !== 'remove', goes: verdict !== 'keep' })
    return { verdict }
  }

  /** The shading of a pattern without what lies under areas; undefined when all of it stays. */
  cutPattern({ decider, value, matrix }: Omit<ShadingPlace, 'clip'>): PDFRef | undefined {
    const dict = this.document.peekDict(value)
    if (!decider.holes || !dict || this.typeOf(dict) !== BY_PLACE) return undefined
    return this.cut({ decider, value, matrix }, dict).instead
  }

  /** Told what stays and what goes of all that is painted with a shading. */
  note(decider: ContentFilter, value: PDFObject | undefined, { stays, goes }: { stays: boolean; goes: boolean }): void {
    const dict = this.document.peekDict(value)
    if (!decider.holes || !dict || this.typeOf(dict) === BY_PLACE) return
    const uses = this.uses.get(decider) ?? new Map<PDFDict, { stays: boolean; goes: boolean }>()
    this.uses.set(decider, uses)
    const before = uses.get(dict)
    const now = { stays: stays || before?.stays === true, goes: goes || before?.goes === true }
    uses.set(dict, now)
    if (now.stays && now.goes && !this.isGradient(dict)) decider.doubt?.()
  }

  /** Whether a shading holds more than a gradient: samples, a mesh, a program, rows of an image. */
  saysSomething(value: PDFObject | undefined): boolean {
    const dict = this.document.peekDict(value)
    return dict !== undefined && (this.typeOf(dict) === BY_PLACE || !this.isGradient(dict))
  }

  private cut({ decider, matrix }: Pick<ShadingPlace, 'decider' | 'value' | 'matrix'>, dict: PDFDict): JudgedShading {
    const { document } = this
    const domain = this.domainOf(dict)
    const place = {
      domain,
      matrix: chainMatrices(readMatrix(document, dict.get(MATRIX)), matrix),
      holes: decider.holes ?? [],
    }
    if (!meetsHoles(boundsOf(mapCorners(place.matrix, domain)), place.holes)) return { verdict: 'keep' }
    const key = [this.idOf(dict), decider.key, ...place.matrix].join(' ')
    const isKnown = this.cuts.has(key)
    const result = isKnown ? this.cuts.get(key) : cutShading(document, dict, place)
    this.cuts.set(key, result)
    const isUncut = result === undefined && !isKnown
    if (isUncut && !isSoftInside(document, dict, { ...place, scale: this.scaleOf(dict) })) decider.doubt?.()
    return { verdict: 'cut', instead: result === 'same' ? undefined : result }
  }

  /** Where a shading is seen at most. */
  private boundsOf(dict: PDFDict, matrix: Matrix, clip: Bounds): Bounds {
    const box = readBounds(this.document, dict.get(BBOX))
    const boxed = box ? intersect(clip, boundsOf(mapCorners(matrix, box))) : clip
    const mesh = this.typeOf(dict) >= FIRST_MESH ? meshBoundsOf(this.document, dict) : undefined
    if (mesh) return intersect(boxed, boundsOf(mapCorners(matrix, mesh)))
    if (this.typeOf(dict) !== BY_PLACE) return boxed
    const toPage = chainMatrices(readMatrix(this.document, dict.get(MATRIX)), matrix)
    return intersect(boxed, boundsOf(mapCorners(toPage, this.domainOf(dict))))
  }

  /** Axial and radial shadings change along one line, which few turns make a gradient; meshes may be anything. */
  private isGradient(dict: PDFDict): boolean {
    const known = this.gradients.get(dict)
    if (known !== undefined) return known
    const result = this.typeOf(dict) < FIRST_MESH && this.isGradientAlong(dict)
    this.gradients.set(dict, result)
    return result
  }

  private isGradientAlong(dict: PDFDict): boolean {
    const shade = readFunction(this.document, dict.get(FUNCTION))
    const [from = 0, to = 1] = readNumbers(this.document, dict.get(DOMAIN)) ?? []
    return shade !== undefined && isGradient(shade, [from, to], this.scaleOf(dict))
  }

  private domainOf(dict: PDFDict): Bounds {
    const [left = 0, right = 1, bottom = 0, top = 1] = readNumbers(this.document, dict.get(DOMAIN)) ?? []
    return { left, right, bottom, top }
  }

  private typeOf(dict: PDFDict): number {
    return this.document.peekNumber(dict.get(SHADING_TYPE)) ?? 0
  }

  private scaleOf(dict: PDFDict): number {
    const space = this.document.peek(dict.get(COLOR_SPACE))
    return space instanceof PDFArray && this.document.peek(space.get(0)) === LAB ? LAB_RANGE : 1
  }

  private idOf(dict: PDFDict): number {
    const id = this.ids.get(dict) ?? this.ids.size
    this.ids.set(dict, id)
    return id
  }
}
