'use client'

import {
  type Announcements,
  closestCenter,
  DndContext,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, type SortingStrategy } from '@dnd-kit/sortable'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useMediaQuery } from '../../elements/use-media-query'

interface Props {
  /** The keys of the entries in their order. */
  keys: string[]
  /** What an entry is, such as `page`. */
  noun: string
  nameOf: (position: number) => string
  strategy: SortingStrategy
  onMove: (from: number, to: number) => void
  /** What follows the pointer. Without it, the entry itself moves. */
  renderLifted?: (position: number) => ReactNode
  /** The entries. `draggedAt` is the position of the one that is dragged. */
  children: (draggedAt: number | undefined) => ReactNode
}

/** A list or grid whose entries are reordered by pointer, finger and keys. Screen readers hear where an entry is. */
export function SortArea({ keys, noun, nameOf, strategy, onMove, renderLifted, children }: Props) {
  const id = useId()
  const [draggedKey, setDraggedKey] = useState<string | null>(null)
  const hasMoved = useRef(false)
  const hasReducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)', false)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A short press scrolls, a long one drags.
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const positionOf = (key: unknown) => keys.findIndex(one => one === key)
  const draggedAt = draggedKey !== null && keys.includes(draggedKey) ? positionOf(draggedKey) : undefined
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up ${nameOf(positionOf(active.id))}.`,
    onDragOver({ active, over }) {
      // A picked up entry is first over its own place, which would replace the first announcement.
      if (!over || (active.id === over.id && !hasMoved.current)) return undefined
      hasMoved.current = true
      return `${nameOf(positionOf(active.id))} is over position ${positionOf(over.id) + 1} of ${keys.length}.`
    },
    onDragEnd: ({ active, over }) =>
      over
        ? `Dropped ${nameOf(positionOf(active.id))} at position ${positionOf(over.id) + 1} of ${keys.length}.`
        : undefined,
    onDragCancel: ({ active }) => `Canceled. ${nameOf(positionOf(active.id))} stays where it was.`,
  }
  return (
    <DndContext
      id={id}
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements,
        screenReaderInstructions: {
          draggable: `Press Space to pick up the ${noun}. Arrow keys move it, Space drops it, and Escape cancels.`,
        },
      }}
      onDragStart={({ active }) => {
        hasMoved.current = false
        setDraggedKey(String(active.id))
      }}
      onDragEnd={({ active, over }) => {
        setDraggedKey(null)
        if (over && active.id !== over.id) onMove(positionOf(active.id), positionOf(over.id))
      }}
      onDragCancel={() => setDraggedKey(null)}
    >
      <SortableContext items={keys} strategy={strategy}>
        {children(draggedAt)}
      </SortableContext>
      {renderLifted && (
        <DragOverlay dropAnimation={hasReducedMotion ? null : undefined}>
          {draggedAt !== undefined && renderLifted(draggedAt)}
        </DragOverlay>
      )}
    </DndContext>
  )
}
