import { writeRounded } from '../../pdf/syntax'
import type { Page, PdfDocument } from '../../pdf/document'
import { measureFrame, chainMatrices, frameMatrix, seenMatrix } from '../../pdf/geometry'
import type { Frame } from '../../pdf/geometry'
import { drawImage } from '../../pdf/images'
import { PageContent } from '../../pdf/rewrite-content'
import { fontsOf } from '../../pdf/typeset'
import type { Typesetter } from '../../pdf/typeset'
import * as Name from '../../pdf/names'
import { writeColor } from '../../options/colors'
import type { Color } from '../../options/colors'
import type { Outline } from '../../types'
import { drawArtifact, showBlock } from './artifact'
import { measureEdges } from './page-edge-content'
import type { Edges } from './page-edge-content'
import { RowLayout } from './row-layout'
import type { Row, SlotContent } from './row-layout'
import type { HeaderAndFooter } from './slots'
import { transformPages } from '../../pdf/page'
import type { Placement } from '../../pdf/page'
import { dropXfa } from '../../pdf/forms'

/** Thickness of the line, and its distance from the text, in points. */
const LINE_PT = 0.5
const LINE_GAP_PT = 3

/** Distance between a row and the page content with `makeRoom`, as a multiple of the font size. */
const CONTENT_GAP = 0.6

/** Maximum shares of a small page's height for a margin and a row with `makeRoom`. */
const ROOM_EDGE = 0.1
const ROOM_ROW = 0.12

interface WriterOptions {
  fontSize: number
  bold: boolean
  locale: string
  color: Color
  margin: number
  line: 'none' | 'thin'
  makeRoom: boolean
  /** Receives the places of texts and images on a page. */
  outline?: Outline | undefined
}

interface SetPage {
  page: Page
  edges: Edges
  header: Row | undefined
  footer: Row | undefined
}

/** Lays out headers and footers of pages, and draws them all at the end. */
export class HeaderFooterWriter {
  private readonly setter: RowLayout
  private readonly pages: SetPage[] = []

  constructor(
    typesetter: Typesetter,
    private readonly document: PdfDocument,
    private readonly options: WriterOptions,
  ) {
    const { bold, fontSize, locale } = options
    // English implies no variant of Han characters, so the text determines the font.
    const language = locale.toLowerCase().startsWith('en') ? {} : { language: locale }
    this.setter = new RowLayout(typesetter, { weight: bold ? 700 : 400, ...language }, fontSize)
  }

  /** Lays out the header and footer of a page. Throws EngineError `options_invalid` for characters that no font has. */
  async set(page: Page, content: HeaderAndFooter<SlotContent>): Promise<void> {
    const { options } = this
    const frame = measureFrame(this.document, page)
    const measured = measureEdges(frame, options.margin)
    const edges = options.makeRoom ? { ...measured, up: Math.min(options.margin, frame.height * ROOM_EDGE) } : measured
    const height = options.makeRoom ? frame.height * ROOM_ROW : frame.height / 2 - edges.up
    const room = {
      width: frame.width - 2 * edges.across,
      height: height - (options.line === 'thin' ? LINE_GAP_PT + LINE_PT : 0),
    }
    const [header, footer] = [await this.setter.set(content.header, room), await this.setter.set(content.footer, room)]
    if (header || footer) this.pages.push({ page, edges, header, footer })
  }

  /** Draws everything that was laid out. */
  draw(): void {
    const { document, options } = this
    document.saving.addedFeatures.addColor(options.color)
    const strip = (row: Row | undefined, { up }: Edges): number =>
      row ? up + row.heightPt + this.lineHeight + CONTENT_GAP * row.sizePt : 0
    if (options.makeRoom)
      makeRoom(
        document,
        new Map(
          this.pages.map(({ page, edges, header, footer }) => [
            page,
            { topPt: strip(header, edges), bottomPt: strip(footer, edges) },
          ]),
        ),
      )
    for (const { page, edges, header, footer } of this.pages) {
      const frame = measureFrame(document, page)
      const content = new PageContent(document, page)
      if (header)
        drawArtifact(content, frame, {
          kind: 'Header',
          operators: this.showRow(content, header, { frame, edges, isHeader: true }),
        })
      if (footer)
        drawArtifact(content, frame, {
          kind: 'Footer',
          operators: this.showRow(content, footer, { frame, edges, isHeader: false }),
        })
      content.write()
    }
  }

  private get lineHeight(): number {
    return this.options.line === 'thin' ? LINE_GAP_PT + LINE_PT : 0
  }

  /**
   * Headers are aligned at their first lines, footers at their last lines. If a row has an image, its blocks are
   * vertically centered.
   */
  private showRow(
    content: PageContent,
    { sizePt, blocks, heightPt }: Row,
    { frame, edges, isHeader }: { frame: Frame; edges: Edges; isHeader: boolean },
  ): string {
    const { color, line } = this.options
    const fonts = fontsOf(this.document)
    const widthPt = frame.width - 2 * edges.across
    const hasImage = blocks.some(({ block }) => 'image' in block)
    const shown = blocks.map(({ slot, block }) => {
      const [width, height] = [(block.width * sizePt) / 1000, (block.height * sizePt) / 1000]
      const below = heightPt - height
      const lower =
        (isHeader ? frame.height - edges.up - heightPt : edges.up) + (hasImage ? below / 2 : isHeader ? below : 0)
      const x = edges.across + (widthPt - width) * { left: 0, center: 0.5, right: 1 }[slot]
      this.options.outline?.add({
        width,
        height,
        matrix: [1, 0, 0, 1, x, lower],
        ...('lines' in block && { text: block.lines.map(one => one.text).join('\n') }),
        opacity: 1,
      })
      if (!('image' in block))
        return showBlock(content, block, { x: edges.across, top: lower + height, sizePt, align: slot, widthPt, fonts })
      return (
        'q ' +
        `${drawImage(block.image, content.name(Name.XObject, 'Logo', block.image.ref), { x, y: lower, width, height })} ` +
        'Q'
      )
    })
    const parts = [writeColor(color, 'rg'), ...shown]
    if (line === 'thin') {
      const distance = edges.up + heightPt + LINE_GAP_PT + LINE_PT / 2
      const y = writeRounded(isHeader ? frame.height - distance : distance)
      parts.push(
        `${writeColor(color, 'RG')}\n${LINE_PT} w ${writeRounded(edges.across)} ${y} m ` +
          `${writeRounded(edges.across + widthPt)} ${y} l S`,
      )
    }
    return parts.join('\n')
  }
}

/** Default scale of a page that makes room. */
const DEFAULT_SCALE = 0.94

/** Heights in points that are needed at the upper and lower edge of a page as displayed. */
interface Strips {
  topPt: number
  bottomPt: number
}

/**
 * Scales pages with all of their content to 94%, or less if the strips need more. Moves the content between the strips.
 * The page size doesn't change.
 */
function makeRoom(document: PdfDocument, strips: ReadonlyMap<Page, Strips>): void {
  const placements = new Map<Page, Placement>()
  for (const [page, needed] of strips) placements.set(page, placeBetween(measureFrame(document, page), needed))
  if (placements.size === 0) return
  dropXfa(document)
  transformPages(document, placements)
}

function placeBetween(frame: Frame, { topPt, bottomPt }: Strips): Placement {
  const { width, height, visible } = frame
  const scale = Math.min(DEFAULT_SCALE, (height - topPt - bottomPt) / height)
  const spare = Math.max(0, height * (1 - scale) - topPt - bottomPt)
  const onPage = chainMatrices(seenMatrix(frame), [scale, 0, 0, scale, (width * (1 - scale)) / 2, bottomPt + spare / 2])
  return { matrix: chainMatrices(onPage, frameMatrix(frame)), box: visible, clip: visible }
}
