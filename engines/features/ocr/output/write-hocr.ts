import { pixelBox, pixelSize } from '../page-text/page-geometry'
import type { ReadPage } from '../page-text/page-geometry'
import type { TextLine, TextWord } from '../page-text/page-text'

/**
 * Writes pages as hOCR 1.2 (kba.github.io/hocr-spec). Boxes are in pixels of the rendered page, from its upper-left
 * corner.
 */
export function writeHocr(pages: ReadPage[], { languages }: { languages: string[] }): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<title></title>
<meta http-equiv="Content-Type" content="text/html;charset=utf-8"/>
<meta name="ocr-system" content="tesseract"/>
<meta name="ocr-langs" content="${languages.join(' ')}"/>
<meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrp_wconf"/>
</head>
<body>
${pages.map(writePage).join('\n')}
</body>
</html>
`
}

function writePage(page: ReadPage): string {
  const { pageNumber, dpi, text } = page
  const [width, height] = pixelSize(page)
  const box = (words: TextWord[]): string =>
    `bbox ${pixelBox(
      page,
      words.map(word => word.box),
    ).join(' ')}`
  let [lineCount, wordCount] = [0, 0]
  const writeLine = (line: TextLine): string => {
    const words = line.words.map(word => {
      const confidence = word.confidence === undefined ? '' : `; x_wconf ${Math.round(word.confidence)}`
      return (
        `<span class="ocrx_word" id="word_${pageNumber}_${++wordCount}" ` +
        `title="${box([word])}${confidence}">${escape(word.text)}</span>`
      )
    })
    return (
      `<span class="ocr_line" id="line_${pageNumber}_${++lineCount}" ` +
      `title="${box(line.words)}">${words.join(' ')}</span>`
    )
  }
  const areas = text.blocks.map(({ paragraphs }, area) => {
    const written = paragraphs.map(
      ({ lines }, paragraph) =>
        `<p class="ocr_par" id="par_${pageNumber}_${area + 1}_${paragraph + 1}" ` +
        `title="${box(lines.flatMap(({ words }) => words))}">\n${lines.map(writeLine).join('\n')}\n</p>`,
    )
    const all = paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words))
    return (
      `<div class="ocr_carea" id="block_${pageNumber}_${area + 1}" ` +
      `title="${box(all)}">\n${written.join('\n')}\n</div>`
    )
  })
  const resolution = Math.round(dpi)
  return (
    `<div class="ocr_page" id="page_${pageNumber}" title="bbox 0 0 ${width} ${height}; ppageno ${pageNumber - 1}; ` +
    `scan_res ${resolution} ${resolution}">\n${areas.join('\n')}\n</div>`
  )
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
