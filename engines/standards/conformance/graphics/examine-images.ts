import { PDFNull } from 'pdf-lib'
import type { PDFDict, PDFObject, PDFRawStream } from 'pdf-lib'
import { applyFilters, readFilters } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { entryOf, objectOf, plainDict, streamOf } from '../examination/model'
import type { Location } from '../examination/report'
import type { ColorSpaces } from './color-spaces'
import { readIccHeader } from './icc-header'
import { INPUT_PROFILE_RULES } from './icc-profiles'
import { IMAGE_RULES, INLINE_FILTER_RULES, XOBJECT_RULES } from './image-rules'
import { chosenColor, readJp2Header } from './jp2-header'
import type { Jp2Header } from './jp2-header'
import { JPEG2000_RULES } from './jpeg2000'
import { RENDERING_INTENT_RULES } from './rendering-intents'

/** The enumerated color space CMYK in JPEG 2000 data. */
const ENUMERATED_CMYK = 12

/** Maximum number of alternate images that are checked for each image. */
const MOST_ALTERNATES = 100

/** Checks images that content draws. */
export class Images {
  private readonly seen = new Set<PDFObject>()
  private readonly headers = new Map<PDFObject, Jp2Header>()

  constructor(
    private readonly examination: Examination,
    private readonly colors: ColorSpaces,
  ) {}

  /** Checks an image XObject. */
  draw(value: PDFObject | undefined, stream: PDFRawStream, walk: StreamWalk): void {
    const location = locationOf(value, walk.location)
    this.checkColor(stream, walk, location)
    if (this.seen.has(stream)) return
    this.seen.add(stream)
    this.checkImage(stream, walk, location)
    this.checkMasks(stream.dict, walk, location)
    const { document } = walk
    const alternates = document.peekItems(stream.dict.get(Name.Alternates))
    for (const alternate of alternates.slice(0, MOST_ALTERNATES)) {
      const image = plainDict(document, alternate)?.get(Name.Image)
      const other = streamOf(document, image)
      if (!other) continue
      this.checkImage(other, walk, locationOf(image, location))
      this.checkColor(other, walk, locationOf(image, location))
    }
  }

  /** Checks the inline image at the current operator. `dict` has unabbreviated keys. */
  drawInline(dict: PDFDict, walk: StreamWalk): void {
    const { examination } = this
    const { document, location, state } = walk
    const isMask = isStencil(walk, dict)
    if (state.ignoresColor && !isMask) return
    examination.apply(XOBJECT_RULES, { document, dict }, location)
    examination.apply(IMAGE_RULES, { document, dict, isMask }, location)
    for (const filter of namesIn(walk, dict.get(Name.Filter))) examination.apply(INLINE_FILTER_RULES, filter, location)
    this.checkIntent(dict, walk, location)
    if (isMask) this.colors.checkUse(state.fill, { location })
    else this.checkSpace(dict, walk, location)
  }

  private checkImage(stream: PDFRawStream, walk: StreamWalk, location: Location): void {
    const { examination } = this
    const { document } = walk
    const { dict } = stream
    const isMask = isStencil(walk, dict)
    examination.apply(XOBJECT_RULES, { document, dict }, location)
    examination.apply(IMAGE_RULES, { document, dict, isMask }, location)
    this.checkIntent(dict, walk, location)
    this.checkJpeg2000(stream, walk, location)
  }

  /** The color space depends on the resources of the content that draws the image. */
  private checkColor(stream: PDFRawStream, walk: StreamWalk, location: Location): void {
    const { dict } = stream
    if (isStencil(walk, dict)) this.colors.checkUse(walk.state.fill, { location: walk.location })
    else if (hasColorSpace(walk, dict)) this.checkSpace(dict, walk, location)
    else {
      const header = this.jp2HeaderOf(stream, walk)
      if (header) this.checkEmbeddedSpace(header, walk, location)
    }
  }

  /** Soft masks are images themselves, but their color space doesn't matter. */
  private checkMasks(dict: PDFDict, walk: StreamWalk, location: Location): void {
    const { examination } = this
    const { document } = walk
    const soft = streamOf(document, dict.get(Name.SMask))
    if (soft) {
      const softPlace = locationOf(dict.get(Name.SMask), location)
      examination.apply(XOBJECT_RULES, { document, dict: soft.dict }, softPlace)
      const isMask = isStencil(walk, soft.dict)
      examination.apply(IMAGE_RULES, { document, dict: soft.dict, isMask }, softPlace)
      this.checkIntent(soft.dict, walk, softPlace)
      this.checkJpeg2000(soft, walk, softPlace)
    }
    const mask = streamOf(document, dict.get(Name.Mask))
    if (mask) {
      const maskPlace = locationOf(dict.get(Name.Mask), location)
      examination.apply(XOBJECT_RULES, { document, dict: mask.dict }, maskPlace)
      examination.apply(IMAGE_RULES, { document, dict: mask.dict, isMask: true }, maskPlace)
    }
  }

  private checkIntent(dict: PDFDict, { document }: StreamWalk, location: Location): void {
    const intent = document.peekName(dict.get(Name.Intent))
    if (intent !== undefined) this.examination.apply(RENDERING_INTENT_RULES, intent, location)
  }

  private checkSpace(dict: PDFDict, walk: StreamWalk, location: Location): void {
    const { document } = walk
    const value = dict.get(Name.ColorSpace)
    const array = document.peekArray(value)
    const name = document.peekName(array?.size() === 1 ? array.asArray()[0] : value)
    if (name !== undefined) this.colors.checkUse(walk.colorSpace(name), { location })
    else this.colors.check(value, { defaults: defaultsOf(walk), location })
  }

  private checkJpeg2000(stream: PDFRawStream, walk: StreamWalk, location: Location): void {
    const header = this.jp2HeaderOf(stream, walk)
    const subject = header && { header, hasColorSpace: hasColorSpace(walk, stream.dict) }
    if (subject) this.examination.apply(JPEG2000_RULES, subject, location)
  }

  /** The header of JPEG 2000 data. Undefined if the image has another format. */
  private jp2HeaderOf(stream: PDFRawStream, { document }: StreamWalk): Jp2Header | undefined {
    const known = this.headers.get(stream)
    if (known || !this.examination.has(JPEG2000_RULES)) return known
    const filters = readFilters(stream.dict, item => document.peek(item))
    if (filters.pop()?.name !== 'JPXDecode') return undefined
    const data = applyFilters(filters, stream.contents, document.limits.maxStreamBytes)
    const header = readJp2Header(data ?? new Uint8Array(0))
    this.headers.set(stream, header)
    return header
  }

  private checkEmbeddedSpace(header: Jp2Header, walk: StreamWalk, location: Location): void {
    const color = chosenColor(header)
    if (color?.enumerated === ENUMERATED_CMYK) this.colors.checkUse(walk.colorSpace('DeviceCMYK'), { location })
    if (!color?.profile) return
    const profile = { header: readIccHeader(color.profile), components: header.channels }
    this.examination.apply(INPUT_PROFILE_RULES, profile, location)
  }
}

/** Resources for default color spaces inside an image's color space. */
function defaultsOf({ stream }: StreamWalk): PDFDict | undefined {
  return stream.hasOwnResources || stream.kind === 'page' ? stream.resources : undefined
}

function isStencil({ document }: StreamWalk, dict: PDFDict): boolean {
  return document.peek(dict.get(Name.ImageMask))?.toString() === 'true'
}

function hasColorSpace({ document }: StreamWalk, dict: PDFDict): boolean {
  const space = entryOf(document, dict, 'ColorSpace')
  return space !== undefined && space !== PDFNull
}

function locationOf(value: PDFObject | undefined, location: Location): Location {
  const object = objectOf(value)
  return object === undefined ? location : { ...location, object }
}

function namesIn({ document }: StreamWalk, value: PDFObject | undefined): string[] {
  const values = document.peekArray(value)?.asArray() ?? [value]
  return values.flatMap(item => document.peekName(item) ?? [])
}
