import { PDFArray, PDFName, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { decodeUpToLimit, isSameObject } from '../../../pdf/document'
import { asBuffer } from '../../../pdf/syntax'
import { DEFAULT_SPACES } from '../../../pdf/walk-content'
import type { ColorUse } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { objectOf, plainDict, streamOf } from '../examination/model'
import type { Location } from '../examination/report'
import { DEVICE_N_RULES, DEVICE_RULES, SEPARATION_RULES } from './color-rules'
import { iccProfileOf, INPUT_PROFILE_RULES, OVERPRINT_RULES, PROFILE_RULES } from './icc-profiles'
import * as Name from '../../../pdf/names'

/** How a color space is used. */
export interface SpaceUse {
  /** Resources with default color spaces. */
  defaults: PDFDict | undefined
  location: Location
  isOverprinting?: boolean
  overprintMode?: number
}

/** Maximum nesting of color spaces. Valid ones nest three deep. */
const MAX_DEPTH = 8

/** Checks color spaces with everything inside them. */
export class ColorSpaces {
  private readonly seen = new Set<string>()
  private readonly ids = new Map<PDFObject, number>()
  private readonly profiles = new Set<PDFObject>()
  private readonly separations = new Map<string, PDFArray>()

  constructor(
    private readonly examination: Examination,
    private readonly output: string | undefined,
  ) {}

  /** Checks a color space of the graphics state. */
  checkUse({ space, defaults, object }: ColorUse, use: Omit<SpaceUse, 'defaults'>): void {
    const id = objectOf(object)
    const location = id === undefined ? use.location : { ...use.location, object: id }
    this.check(space, { ...use, location, defaults })
  }

  /** Checks a color space: a name or an array. */
  check(value: PDFObject | undefined, use: SpaceUse, depth = 0): void {
    const { document } = this.examination
    const space = document.peek(value)
    if (!space || depth > MAX_DEPTH || this.wasChecked(space, use)) return
    if (value instanceof PDFRef) use = { ...use, location: { ...use.location, object: objectOf(value) ?? '' } }
    if (space instanceof PDFName) this.checkName(space, use, depth)
    else if (space instanceof PDFArray) this.checkArray(space, use, depth)
  }

  private wasChecked(space: PDFObject, { defaults, location, isOverprinting, overprintMode }: SpaceUse): boolean {
    const overprint = isOverprinting ? overprintMode : ''
    const key = `${this.idOf(space)} ${this.idOf(defaults)} ${overprint} ${location.page}`
    if (this.seen.has(key)) return true
    this.seen.add(key)
    return false
  }

  private checkName(space: PDFName, use: SpaceUse, depth: number): void {
    const { examination, output } = this
    const name = space.decodeText()
    const spaces = examination.document.peekDict(use.defaults?.get(Name.ColorSpace))
    const standard = DEFAULT_SPACES.get(name)
    const other = spaces?.get(PDFName.of(standard ?? name))
    if (other) this.check(other, standard === undefined ? use : { ...use, defaults: undefined }, depth + 1)
    else if (standard !== undefined) examination.apply(DEVICE_RULES, { space: name, output }, use.location)
  }

  private checkArray(array: PDFArray, use: SpaceUse, depth: number): void {
    const [family, first, second] = array.asArray()
    if (array.size() === 1) return this.check(family, use, depth + 1)
    switch (this.examination.document.peekName(family)) {
      case 'ICCBased':
        this.checkProfile(first, use)
        break
      case 'Indexed':
        this.check(first, inside(use), depth + 1)
        break
      case 'Separation':
        this.checkSeparation(array, use.location)
        this.check(second, inside(use), depth + 1)
        break
      case 'DeviceN':
        this.checkDeviceN(array, use, depth)
        break
      case 'CalCMYK':
        this.check(Name.DeviceCMYK, inside(use), depth + 1)
        break
      case undefined:
        break
    }
  }

  private checkProfile(value: PDFObject | undefined, use: SpaceUse): void {
    const { examination, profiles } = this
    const { document } = examination
    const stream = streamOf(document, value)
    if (!stream) return
    const { isOverprinting = false, overprintMode = 0 } = use
    const components = document.peekNumber(stream.dict.get(Name.N))
    examination.apply(OVERPRINT_RULES, { components, isOverprinting, overprintMode }, use.location)
    if (profiles.has(stream)) return
    profiles.add(stream)
    const object = objectOf(value)
    const location = object === undefined ? use.location : { ...use.location, object }
    const profile = iccProfileOf(document, stream)
    examination.apply(INPUT_PROFILE_RULES, profile, location)
    examination.apply(PROFILE_RULES, profile, location)
  }

  private checkDeviceN(array: PDFArray, use: SpaceUse, depth: number): void {
    const { examination } = this
    const { document } = examination
    const [, namesValue, alternate, , attributes] = array.asArray()
    const names = document.peekItems(namesValue)
    examination.apply(DEVICE_N_RULES, { document, names, attributes }, use.location)
    this.check(alternate, inside(use), depth + 1)
    const dict = plainDict(document, attributes)
    const colorants = plainDict(document, dict?.get(Name.Colorants))
    for (const colorant of colorants?.values() ?? []) {
      const isSeparation = document.peekName(document.peekArray(colorant)?.asArray()[0]) === 'Separation'
      if (isSeparation) this.check(colorant, { location: use.location, defaults: undefined }, depth + 1)
    }
    const process = plainDict(document, dict?.get(Name.Process))
    this.check(process?.get(Name.ColorSpace), { location: use.location, defaults: undefined }, depth + 1)
  }

  private checkSeparation(array: PDFArray, location: Location): void {
    const { examination, separations } = this
    const name = examination.document.peekName(array.asArray()[1])
    if (name === undefined) return
    const known = separations.get(name)
    if (!known) separations.set(name, array)
    else if (known !== array)
      examination.apply(SEPARATION_RULES, { name, isSame: this.isSameSeparation(known, array) }, location)
  }

  /** Compares alternate color spaces and tint transforms. Compression doesn't matter (ISO 19005-2, 6.2.4.4). */
  private isSameSeparation(one: PDFArray, other: PDFArray): boolean {
    const { document } = this.examination
    const [, , alternate, tint] = one.asArray()
    const [, , otherAlternate, otherTint] = other.asArray()
    if (!isSameObject(document, alternate, otherAlternate)) return false
    if (isSameObject(document, tint, otherTint)) return true
    const [first, second] = [streamOf(document, tint), streamOf(document, otherTint)]
    const [data, otherData] = [decodeUpToLimit(document, first), decodeUpToLimit(document, second)]
    if (!first || !second || !data || !otherData || !asBuffer(data).equals(otherData)) return false
    const keys = new Set(
      [...first.dict.keys(), ...second.dict.keys()].filter(key => !COMPRESSION.has(key.decodeText())),
    )
    return [...keys].every(key => isSameObject(document, first.dict.get(key), second.dict.get(key)))
  }

  private idOf(object: PDFObject | undefined): number {
    if (!object) return -1
    const id = this.ids.get(object) ?? this.ids.size
    this.ids.set(object, id)
    return id
  }
}

/** Entries of a stream that depend on how it is compressed. */
const COMPRESSION = new Set(['Length', 'Filter', 'DecodeParms', 'DL'])

/** Overprint settings don't apply to color spaces inside others. */
function inside({ defaults, location }: SpaceUse): SpaceUse {
  return { defaults, location }
}
