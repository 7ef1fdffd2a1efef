import { PDFArray, PDFDict, PDFNumber, PDFRawStream, PDFString } from 'pdf-lib'
import type { PDFName, PDFObject, PDFRef } from 'pdf-lib'
import type { Report } from '../conformance/examination/report'
import { findIntent, outputIntentSpace } from '../conformance/graphics/output-intent'
import type { PdfDocument } from '../../pdf/document'
import { deflate } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { listWritableObjects, walkValues } from './all-objects'
import { CMYK_NAME, writeCmykProfile } from './profiles/cmyk-profile'
import { writeGrayProfile, writeSrgbProfile } from './profiles/icc-profile'

/** A color space of devices, with the profile that defines it. */
interface DeviceSpace {
  space: PDFName
  /** The entry of resources that replaces the device color space. */
  standard: PDFName
  /** The rules about its use (ISO 19005-1, 6.2.3.3; ISO 19005-2, 6.2.4.3). */
  rules: readonly string[]
  components: number
  /** The color space of its profiles. */
  signature: string
  profileName: string
  write(): Uint8Array
}

const RGB: DeviceSpace = {
  space: Name.DeviceRGB,
  standard: Name.DefaultRGB,
  rules: ['6.2.3.3-1', '6.2.4.3-2'],
  components: 3,
  signature: 'RGB ',
  profileName: 'sRGB IEC61966-2.1',
  write: writeSrgbProfile,
}
const CMYK: DeviceSpace = {
  space: Name.DeviceCMYK,
  standard: Name.DefaultCMYK,
  rules: ['6.2.3.3-2', '6.2.4.3-3'],
  components: 4,
  signature: 'CMYK',
  profileName: CMYK_NAME,
  write: writeCmykProfile,
}
/** Transparency needs an output intent too (ISO 19005-2, 6.2.10). */
const GRAY: DeviceSpace = {
  space: Name.DeviceGray,
  standard: Name.DefaultGray,
  rules: ['6.2.3.3-3', '6.2.4.3-4', '6.2.10-2'],
  components: 1,
  signature: 'GRAY',
  profileName: 'Gray with the sRGB curve',
  write: writeGrayProfile,
}

/** Rules that output intents themselves break (ISO 19005-1, 6.2.2; ISO 19005-2, 6.2.3). */
const INTENT_RULES = { first: ['6.2.2-1', '6.2.2-2'], later: ['6.2.3-1', '6.2.3-2', '6.2.3-3'] }
const OVERPRINT_RULE = '6.2.4.2-2'

/**
 * Defines the device color spaces that a report names as undefined. The first of RGB, CMYK and gray gets an output
 * intent, unless the document has one. Others become ICCBased. Removes output intents that break a rule, and overprint
 * mode 1 if it is used with ICCBased CMYK, where it has no effect. Returns whether there was anything to do.
 */
export function defineColors(document: PdfDocument, { profile, failures }: Report): boolean {
  const broken = new Set(failures.map(({ clause, test }) => `${clause}-${test}`))
  const isBroken = (rules: readonly string[]): boolean => rules.some(rule => broken.has(rule))
  const hasBadIntents = isBroken(INTENT_RULES[profile === 'pdfa-1b' ? 'first' : 'later'])
  if (hasBadIntents) document.editCatalog().delete(Name.OutputIntents)
  if (broken.has(OVERPRINT_RULE)) leaveOverprintMode(document)
  const undefinedSpaces = [RGB, CMYK, GRAY].filter(({ rules }) => isBroken(rules))
  const hasIntent = outputIntentSpace(document) !== undefined
  const [first] = undefinedSpaces
  if (first && !hasIntent) addIntent(document, first)
  for (const space of undefinedSpaces.slice(hasIntent ? 0 : 1)) if (space !== GRAY) replaceSpace(document, space)
  return hasBadIntents || broken.has(OVERPRINT_RULE) || undefinedSpaces.length > 0
}

/** Adds an sRGB output intent. */
export function addSrgbIntent(document: PdfDocument): void {
  addIntent(document, RGB)
}

/** Repeats another output intent, such as one of PDF/X, if it has a profile of this color space. */
function addIntent(document: PdfDocument, space: DeviceSpace): void {
  const known = findIntent(document, space.signature)
  const others = known ? document.peekItems(document.catalog.get(Name.OutputIntents)) : []
  const intent = known?.clone(document.context) ?? newIntent(document, space)
  intent.set(Name.S, Name.GTS_PDFA1)
  document.editCatalog().set(Name.OutputIntents, document.context.obj([...others, document.register(intent)]))
}

function newIntent(document: PdfDocument, space: DeviceSpace): PDFDict {
  return document.context.obj({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of(space.profileName),
    Info: PDFString.of(space.profileName),
    DestOutputProfile: addProfile(document, space),
  })
}

/** The deflated profiles that this process has written. */
const profiles = new Map<DeviceSpace, Uint8Array>()

function addProfile(document: PdfDocument, space: DeviceSpace): PDFRef {
  const data = profiles.get(space) ?? deflate(space.write())
  profiles.set(space, data)
  const entries = document.context.obj({ N: space.components, Filter: 'FlateDecode' })
  return document.register(PDFRawStream.of(entries, data))
}

/** Replaces a device color space by an ICCBased one, in objects and by default in content (ISO 32000-1, 8.6.5.6). */
function replaceSpace(document: PdfDocument, device: DeviceSpace): void {
  const based = document.register(document.context.obj(['ICCBased', addProfile(document, device)]))
  const isDevice = (value: PDFObject | undefined): boolean => document.peek(value) === device.space
  for (const page of document.pages)
    if (!page.attribute(Name.Resources)) document.edit(page.ref).set(Name.Resources, document.context.obj({}))
  for (const { object } of listWritableObjects(document))
    for (const value of walkValues(object)) {
      if (value instanceof PDFArray) {
        const at = BASES.get(document.peekName(value.get(0)) ?? '')
        if (at !== undefined && isDevice(value.get(at))) value.set(at, based)
      } else if (value instanceof PDFDict) {
        for (const key of [Name.ColorSpace, Name.CS]) if (isDevice(value.get(key))) value.set(key, based)
        const resources = document.peekDict(value.get(Name.Resources))
        if (resources) addDefault(document, resources, device.standard, based)
      }
    }
}

/** The places of color spaces inside others. */
const BASES = new Map([
  ['Indexed', 1],
  ['Separation', 2],
  ['DeviceN', 2],
])

function addDefault(document: PdfDocument, resources: PDFDict, key: PDFName, space: PDFRef): void {
  const spaces = document.peek(resources.get(Name.ColorSpace))
  if (!(spaces instanceof PDFDict)) resources.set(Name.ColorSpace, document.context.obj({ [key.decodeText()]: space }))
  else if (!spaces.has(key)) spaces.set(key, space)
}

function leaveOverprintMode(document: PdfDocument): void {
  for (const { object } of listWritableObjects(document))
    for (const value of walkValues(object))
      if (value instanceof PDFDict && value.has(Name.OPM)) value.set(Name.OPM, PDFNumber.of(0))
}
