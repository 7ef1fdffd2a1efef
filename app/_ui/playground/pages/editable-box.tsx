'use client'

import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import {
  type Corner,
  dragCorner,
  growBox,
  isLargeEnough,
  moveBox,
  type PageBox,
  type PagePoint,
  boxStyle,
} from './page-box'
import { useStage } from './page-stage'
import classes from './pages.module.css'

const CORNERS: Corner[] = ['nw', 'ne', 'sw', 'se']
const STEP_PT = 1
const LARGE_STEP_PT = 10
const ARROWS: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface Props {
  box: PageBox
  /** Names the box for screen readers, such as `Box 2 on page 1`. */
  label: string
  /** ID of the text that explains the keys. */
  describedBy: string
  className: string | undefined
  onChange: (box: PageBox) => void
  /** Undefined if the box can't be removed. */
  onRemove?: () => void
  children?: ReactNode
}

interface Drag {
  corner: Corner | null
  from: PagePoint
  box: PageBox
}

/**
 * A box over a page that can be moved and resized. Pointer: drag the box or a corner. Keys: arrows move it by a point,
 * with Alt by ten, and with Shift they resize it. Delete removes it.
 */
export function EditableBox({ box, label, describedBy, className, onChange, onRemove, children }: Props) {
  const { size, pointAt } = useStage()
  const drag = useRef<Drag | null>(null)
  const [moved, setMoved] = useState<PageBox | null>(null)
  const shown = moved ?? box

  function begin(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    const corner =
      event.target instanceof HTMLElement ? (event.target.dataset['corner'] as Corner | undefined) : undefined
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { corner: corner ?? null, from: pointAt(event), box }
  }

  function follow(event: PointerEvent<HTMLElement>): PageBox | null {
    if (!drag.current) return null
    const { corner, from, box: before } = drag.current
    const point = pointAt(event)
    if (corner) return dragCorner(before, corner, point, size)
    return moveBox(before, point.x - from.x, point.y - from.y, size)
  }

  function end(event: PointerEvent<HTMLElement>) {
    const next = follow(event)
    drag.current = null
    setMoved(null)
    if (next && isLargeEnough(next)) onChange(next)
  }

  function press(event: KeyboardEvent<HTMLElement>) {
    const arrow = ARROWS[event.key]
    if (arrow) {
      event.preventDefault()
      const step = event.altKey ? LARGE_STEP_PT : STEP_PT
      const change = event.shiftKey ? growBox : moveBox
      onChange(change(box, arrow[0] * step, arrow[1] * step, size))
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && onRemove) {
      event.preventDefault()
      onRemove()
    }
  }

  return (
    <button
      type="button"
      className={`${classes.box} ${className ?? ''}`}
      style={boxStyle(shown, size)}
      aria-label={label}
      aria-describedby={describedBy}
      data-over-page
      data-testid="box"
      onPointerDown={begin}
      onPointerMove={event => setMoved(follow(event))}
      onPointerUp={end}
      onPointerCancel={() => {
        drag.current = null
        setMoved(null)
      }}
      onKeyDown={press}
    >
      {children}
      {CORNERS.map(corner => (
        <span key={corner} data-corner={corner} className={classes.corner} aria-hidden />
      ))}
    </button>
  )
}
