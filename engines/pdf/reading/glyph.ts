import type { ContentStream } from '../content/walk/content-stream'
import type { Bounds } from '../geometry/geometry'

/** The line of a character, in default user space of its page. */
export interface Baseline {
  /** The origin of the character on its baseline. */
  x: number
  y: number
  /** Angle of the line in radians, counter-clockwise from the x axis. */
  angle: number
  /** Size of an em, across the line. */
  size: number
}

/** What all characters of a text-showing operation have in common. */
export interface TextStyle {
  isBold: boolean
  isItalic: boolean
  isMonospaced: boolean
  /** The marked-content identifier of the content of the page. -1 if there is none. */
  mcid: number
  /** The content is marked as an artifact. */
  isArtifact: boolean
  /** The text is drawn without ink. */
  isUnseen: boolean
}

/** A text-showing operation. */
export interface ShowOperation {
  stream: ContentStream
  /** Byte range of the operation in the decoded content. `end` is exclusive. */
  start: number
  end: number
  /** The spacing between characters (`Tc`), in ems along the line. */
  spacing: number
  /** Number of the operation among those that show text or draw an image. */
  order: number
}

/** A character of a page, or several that one glyph shows. Positions are in default user space. */
export interface Glyph extends Baseline {
  text: string
  /** The text of the glyph itself. Differs from `text` if /ActualText replaces it. */
  ownText: string
  /** Whether a blank or a gap separates it from the glyph before it in the content. */
  isSpaced: boolean
  /** Where the glyph ends on its baseline, without the spacing between characters. */
  endX: number
  endY: number
  /** The bounds of the character on its line, from the metrics of the font. */
  left: number
  bottom: number
  right: number
  top: number
  style: TextStyle
  /** Where the glyph is shown: an operation, and its index among the glyphs of that operation. */
  shown: ShowOperation
  index: number
}

/** An image that a page draws, with its bounds in default user space. Clipping doesn't count. */
export interface DrawnImage extends Bounds, Pick<TextStyle, 'mcid' | 'isArtifact'> {
  isOpaque: boolean
  /** Number of the operation among those that show text or draw an image. */
  order: number
}
