'use client'

import type { CSSProperties, ReactNode } from 'react'
import { PageCanvas } from '../preview/page-canvas'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { turnedScale } from './page-turns'
import { FRAME_RATIO } from './thumbnail-grid'
import classes from './thumbnails.module.css'

const WIDTH_PX = 160

/** The size of a blank sheet in points: US Letter. */
const BLANK_SIZE = { width: 612, height: 792 }

interface Props {
  document: OpenedDocument
  /** From the number of pages on, the sheet is blank. */
  pageIndex: number
  /** Degrees clockwise by which the image is rotated. */
  angle?: number
  onRotation?: (rotation: number) => void
  /** What lies over the page. */
  children?: ReactNode
}

/** The image of a page in a frame that is the same for all pages, and its number below. For screen readers, the button around it names the page. */
export function Sheet({ document, pageIndex, angle = 0, onRotation, children }: Props) {
  const isBlank = pageIndex >= document.pageCount
  const size = document.pages[pageIndex] ?? BLANK_SIZE
  const style: CSSProperties = {}
  if (angle !== 0)
    style.transform = `rotate(${angle}deg) scale(${turnedScale(size, angle, { width: 1, height: FRAME_RATIO })})`
  return (
    <>
      <span className={classes.sheet} aria-hidden>
        <span className={classes.paper} style={style}>
          {isBlank ? (
            <span className={classes.blank} />
          ) : (
            <PageCanvas
              document={document}
              pageIndex={pageIndex}
              widthPx={WIDTH_PX}
              label=""
              {...(onRotation ? { onRotation } : {})}
            />
          )}
        </span>
        {children}
      </span>
      <span className={classes.caption} aria-hidden>
        {isBlank ? 'Blank' : pageIndex + 1}
      </span>
    </>
  )
}
