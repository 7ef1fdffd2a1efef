import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../../pdf/document'
import { frameMatrix, measureFrame } from '../../pdf/geometry'
import type { Frame, Matrix } from '../../pdf/geometry'
import { drawImage, embedImage } from '../../pdf/images'
import { addViewLayer } from '../../pdf/document'
import { writeNumbers } from '../../pdf/syntax'
import { PageContent } from '../../pdf/rewrite-content'
import { addStampForm } from '../../pdf/page'
import { hasCoveredPage } from '../../pdf/render'
import { fontsOf, openTypesetter, Template } from '../../pdf/typeset'
import * as Name from '../../pdf/names'
import { readFileInput } from '../../options/file-input'
import { listPages } from '../../options/selectors'
import type { Outline, Warning } from '../../types'
import { composePage, graphicOf } from './graphic'
import type { Graphic } from './graphic'
import type { Mark } from './options'
import { angleOn, fitFactor, placeMark } from './placement'
import type { MarkSize } from './placement'
import { chooseSize, drawBlock, setBlock } from './text-graphic'
import type { Block } from './text-graphic'

/** Images up to this multiple of the page width are kept inside the page. */
const KEPT_INSIDE = 1

interface Surroundings {
  /** Name of the input file without extension. */
  fileName: string
  now: Date
  warn(warning: Warning): void
  /** Receives the places on a page. The pages are blank then, so nothing can hide a mark. */
  outline?: Outline | undefined
}

/** Creates the graphic of a mark for a page size and number. */
type MakeGraphic = (page: MarkSize, pageNumber: number) => Graphic

/**
 * Draws watermarks in order, as artifacts that screen readers skip (ISO 32000-2, 14.8.2.2). Pages of the same size
 * share their form XObjects. Throws EngineError `options_invalid` for pages that don't exist, files that can't be drawn,
 * characters that no font has, and marks outside of their page.
 */
export async function drawMarks(
  document: PdfDocument,
  marks: readonly Mark[],
  surroundings: Surroundings,
): Promise<void> {
  const contents = new Map<number, { content: PageContent; frame: Frame }>()
  const states = new Map<number, PDFRef>()
  const { outline } = surroundings
  for (const mark of marks) {
    const pageIndexes = listPages(mark.pages, document.pageCount, `${mark.param}.pages`)
    const canBeHidden = mark.layer === 'under' && !outline
    if (canBeHidden && (await hasCoveredPage(document, pageIndexes))) surroundings.warn('watermark-hidden')
    const draw = new MarkForms(document, mark, await openGraphics(document, mark, surroundings))
    for (const pageIndex of pageIndexes) {
      if (outline && pageIndex !== outline.pageIndex) continue
      const opened = contents.get(pageIndex) ?? openPage(document, pageIndex)
      if (!opened) continue
      contents.set(pageIndex, opened)
      const { content, frame } = opened
      const drawn = draw.formFor(frame, pageIndex + 1)
      for (const matrix of outline ? drawn.places : []) outline?.add({ ...drawn.facts, matrix, opacity: mark.opacity })
      const form = `/${content.name(Name.XObject, 'Mark', drawn.ref)} Do`
      const state =
        mark.opacity === 1
          ? ''
          : `/${content.name(Name.ExtGState, 'Mark', stateFor(document, states, mark.opacity))} gs\n`
      const operators =
        `/Artifact <</Type /Pagination /Subtype /Watermark>> BDC\n${writeNumbers(frameMatrix(frame))} ` +
        `cm\n${state}${form}\nEMC`
      if (mark.layer === 'under') content.drawUnder(operators)
      else content.drawOver(operators)
    }
  }
  for (const { content } of contents.values()) content.write()
}

function openPage(document: PdfDocument, pageIndex: number): { content: PageContent; frame: Frame } | undefined {
  const page = document.pages[pageIndex]
  return page && { content: new PageContent(document, page), frame: measureFrame(document, page) }
}

function stateFor(document: PdfDocument, states: Map<number, PDFRef>, opacity: number): PDFRef {
  const state =
    states.get(opacity) ?? document.register(document.context.obj({ Type: 'ExtGState', ca: opacity, CA: opacity }))
  states.set(opacity, state)
  return state
}

/** A form XObject of a mark, and where it draws on the page. */
interface MarkForm {
  ref: PDFRef
  places: Matrix[]
  facts: MarkSize & { text?: string }
}

/** The form XObjects of a mark. Pages with the same size and text share one. */
class MarkForms {
  private readonly forms = new Map<string, MarkForm>()
  private readonly entries: Record<string, PDFObject>

  constructor(
    private readonly document: PdfDocument,
    private readonly mark: Mark,
    private readonly graphics: { make: MakeGraphic; keyOf: (pageNumber: number) => string },
  ) {
    this.entries = mark.visibility === 'always' ? {} : { OC: addViewLayer(document, mark.visibility) }
  }

  formFor(frame: Frame, pageNumber: number): MarkForm {
    const { document, mark, entries, graphics } = this
    const key = `${writeNumbers([frame.width, frame.height])} ${graphics.keyOf(pageNumber)}`
    const existing = this.forms.get(key)
    if (existing) return existing
    const graphic = graphics.make(frame, pageNumber)
    const isGroup = mark.opacity < 1 || mark.type === 'pdf'
    const places = placeMark(frame, graphic, mark)
    const ref = composePage(document, graphic, {
      places,
      page: frame,
      entries,
      isGroup,
    })
    const { width, height } = graphic
    const form = {
      ref,
      places,
      facts: { width, height, ...(mark.type === 'text' && { text: graphics.keyOf(pageNumber) }) },
    }
    this.forms.set(key, form)
    return form
  }
}

async function openGraphics(
  document: PdfDocument,
  mark: Mark,
  surroundings: Surroundings,
): Promise<{ make: MakeGraphic; keyOf: (pageNumber: number) => string }> {
  if (mark.type === 'text') return openTexts(document, mark, surroundings)
  return {
    make: mark.type === 'image' ? openImage(document, mark, surroundings) : openStamp(document, mark, surroundings),
    keyOf: () => '',
  }
}

async function openTexts(
  document: PdfDocument,
  mark: Mark,
  { fileName, now, warn }: Surroundings,
): Promise<{ make: MakeGraphic; keyOf: (pageNumber: number) => string }> {
  const typesetter = await openTypesetter()
  const template = Template.parse(mark.text ?? '')
  const values: Record<string, string> = {
    total: String(document.pageCount),
    date: now.toISOString().slice(0, 10),
    filename: fileName,
  }
  const write = (pageNumber: number) =>
    template.fill(({ name }) => (name === 'page' ? String(pageNumber) : (values[name] ?? '')))
  const blocks = new Map<string, Block>()
  return {
    keyOf: write,
    make(page, pageNumber) {
      const text = write(pageNumber)
      const block = blocks.get(text) ?? setBlock(typesetter, text, mark)
      blocks.set(text, block)
      const { sizePt, isShrunk } = chooseSize(block, page, mark)
      if (isShrunk) warn('watermark-shrunk')
      return drawBlock(block, mark, { document, fonts: fontsOf(document), sizePt })
    },
  }
}

function openImage(document: PdfDocument, mark: Mark, surroundings: Surroundings): MakeGraphic {
  const image = embedImage(document, mark.image ? readFileInput(mark.image) : new Uint8Array(), `${mark.param}.image`)
  return page => {
    const extent = scaleToPage({ width: image.widthPt, height: image.heightPt }, page, { mark, surroundings })
    return graphicOf(document, image.ref, { ...extent, operators: drawImage(image, 'Mark', { x: 0, y: 0, ...extent }) })
  }
}

function openStamp(document: PdfDocument, mark: Mark, surroundings: Surroundings): MakeGraphic {
  const { param, stampPage = 1 } = mark
  const stamp = addStampForm(document, mark.stamp ? readFileInput(mark.stamp) : new Uint8Array(), {
    pageNumber: stampPage,
    param: `${param}.stamp`,
    pageParam: `${param}.stampPage`,
  })
  return page => {
    const extent = scaleToPage(stamp, page, { mark, surroundings })
    const factor = extent.width / stamp.width
    return graphicOf(document, stamp.ref, {
      ...extent,
      operators: `${writeNumbers([factor, 0, 0, factor, 0, 0])} cm /Mark Do`,
    })
  }
}

/** A mark that is scaled by more than this fits. The difference comes from rounding. */
const NEARLY_WHOLE = 0.9999

/**
 * Returns the size of an image on a page: `scale` times the page width. If `scale` is at most 1, the image is reduced
 * to fit inside the page.
 */
function scaleToPage(
  { width, height }: MarkSize,
  page: MarkSize,
  { mark, surroundings }: { mark: Mark; surroundings: Surroundings },
): MarkSize {
  const factor = (mark.scale * page.width) / width
  const extent = { width: width * factor, height: height * factor }
  const fitScale = fitFactor(extent, angleOn(page, mark), page)
  if (mark.scale > KEPT_INSIDE || fitScale >= NEARLY_WHOLE) return extent
  surroundings.warn('watermark-shrunk')
  return { width: extent.width * fitScale, height: extent.height * fitScale }
}
