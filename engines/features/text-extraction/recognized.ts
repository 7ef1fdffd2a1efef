import { chainMatrices } from '../../pdf/geometry'
import type { RecognizedPage } from '../ocr/read-pages'
import { hasRightToLeft } from './lines/direction'
import type { Sheet, Word } from './lines/model'

/** The recognized text of a page as a sheet. Its sizes are in points. */
export function recognizedSheet({ text, width, height }: RecognizedPage): Sheet {
  // The sheet of a recognition has pixels. Its matrix may also turn it.
  const [a, b] = text.toSeen
  const unit = Math.hypot(a, b) || 1
  const words: Word[] = []
  for (const { paragraphs } of text.blocks)
    for (const { lines } of paragraphs)
      for (const line of lines)
        for (const { text: letters, box, confidence } of line.words) {
          const slope = (line.end.y - line.start.y) / (line.end.x - line.start.x || 1)
          const baseline = line.start.y + slope * (box.x + box.width / 2 - line.start.x)
          // The height of a line is from descenders to ascenders, which is about an em.
          const size = line.size * unit * 0.95
          words.push({
            text: letters,
            left: box.x * unit,
            right: (box.x + box.width) * unit,
            top: box.y * unit,
            bottom: (box.y + box.height) * unit,
            baseline: baseline * unit,
            size,
            isBold: false,
            isItalic: false,
            isMonospaced: false,
            isRightToLeft: hasRightToLeft(letters),
            isSpaced: true,
            mcid: -1,
            isArtifact: false,
            isUnseen: false,
            isRecognized: true,
            ...(confidence !== undefined && { confidence }),
          })
        }
  const isTurned = Math.abs(b) > Math.abs(a)
  return {
    toSeen: chainMatrices([1 / unit, 0, 0, 1 / unit, 0, 0], text.toSeen),
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    words,
    rules: [],
    dots: [],
  }
}
