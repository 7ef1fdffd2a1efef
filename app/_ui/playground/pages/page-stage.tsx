'use client'

import { createContext, useContext, useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react'
import { PageCanvas } from '../preview/page-canvas'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { boxBetween, isLargeEnough, type PageBox, type PagePoint, type PageSize, boxStyle } from './page-box'
import classes from './pages.module.css'

const WIDTH_PX = 720

interface Stage {
  size: PageSize
  /** Converts the position of a pointer to a place on the page. */
  pointAt: (pointer: { clientX: number; clientY: number }) => PagePoint
}

const StageContext = createContext<Stage>({ size: { width: 1, height: 1 }, pointAt: () => ({ x: 0, y: 0 }) })

/** The page under an overlay: its size, and a function for positions of the pointer. */
export function useStage(): Stage {
  return useContext(StageContext)
}

interface Props {
  document: OpenedDocument
  pageIndex: number
  /** Says what the image shows. */
  label: string
  /** Called when the visitor has drawn a box. Undefined if nothing can be drawn. */
  onDraw?: ((box: PageBox) => void) | undefined
  /** Whether fingers draw too. Otherwise they scroll the site. */
  isTouchDrawing?: boolean
  /** Elements over the page. Each is positioned absolutely, see `boxStyle`. */
  children?: ReactNode
}

/** A page with elements over it, on which boxes can be drawn by dragging. */
export function PageStage({ document, pageIndex, label, onDraw, isTouchDrawing = false, children }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const start = useRef<PagePoint | null>(null)
  const [draft, setDraft] = useState<PageBox | null>(null)
  const { width, height } = document.pages[pageIndex] ?? { width: 1, height: 1 }
  const stage = useMemo<Stage>(
    () => ({
      size: { width, height },
      pointAt({ clientX, clientY }) {
        const rect = element.current?.getBoundingClientRect()
        if (!rect) return { x: 0, y: 0 }
        return {
          x: ((clientX - rect.left) / rect.width) * width,
          y: ((clientY - rect.top) / rect.height) * height,
        }
      },
    }),
    [width, height],
  )

  function begin(event: PointerEvent<HTMLDivElement>) {
    const isOnBox = event.target instanceof Element && event.target.closest('[data-over-page]') !== null
    if (!onDraw || isOnBox || event.button !== 0 || (event.pointerType === 'touch' && !isTouchDrawing)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = stage.pointAt(event)
  }

  function drag(event: PointerEvent<HTMLDivElement>) {
    if (start.current) setDraft(boxBetween(start.current, stage.pointAt(event), stage.size))
  }

  function end(event: PointerEvent<HTMLDivElement>) {
    const box = start.current && boxBetween(start.current, stage.pointAt(event), stage.size)
    start.current = null
    setDraft(null)
    if (box && isLargeEnough(box)) onDraw?.(box)
  }

  function cancel() {
    start.current = null
    setDraft(null)
  }

  return (
    <StageContext value={stage}>
      <div
        ref={element}
        className={classes.stage}
        data-testid="stage"
        data-draws={onDraw !== undefined}
        data-touch={isTouchDrawing}
        style={{ aspectRatio: `${width} / ${height}`, maxWidth: `calc(44rem * ${width / height})` }}
        onPointerDown={begin}
        onPointerMove={drag}
        onPointerUp={end}
        onPointerCancel={cancel}
      >
        <PageCanvas key={pageIndex} document={document} pageIndex={pageIndex} widthPx={WIDTH_PX} label={label} />
        {children}
        {draft !== null && <div className={classes.draft} style={boxStyle(draft, { width, height })} />}
      </div>
    </StageContext>
  )
}
