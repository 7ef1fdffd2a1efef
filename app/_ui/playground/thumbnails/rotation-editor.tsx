'use client'

import { useCallback, useRef, useState } from 'react'
import type { EditorProps } from '../pages/editor-panel'
import type { OpenedDocument } from '../preview/pdf-renderer'
import { pagesBetween } from './page-selection'
import { readTurns, turnPages, writeTurns } from './page-turns'
import { Sheet } from './sheet'
import { ThumbnailGrid } from './thumbnail-grid'
import classes from './thumbnails.module.css'
import { Button } from '../../elements/button'

/** Rotates pages by clicks, and shows the rotations that the options ask for. */
export function RotationEditor({ document, options, onChange }: EditorProps) {
  const { pageCount } = document
  const turns = readTurns(options, document)
  /** Rotations in the file, of the pages that were rendered. Only mode `absolute` needs them. */
  const fileRotations = useRef(new Map<number, number>())
  const [notice, setNotice] = useState('')

  function turn(indexes: number[], angle: number, words: string) {
    const next = turnPages(turns, { indexes, angle, rotationOf: index => fileRotations.current.get(index) ?? 0 })
    onChange(writeTurns(options, next, pageCount))
    const [first = 0] = indexes
    setNotice(`${words} ${describeAngle(next.angles.get(first) ?? 0, turns.isAbsolute)}`)
  }

  const all = pagesBetween(0, pageCount - 1)
  return (
    <div className={classes.editor}>
      <div className={classes.tools} role="group" aria-label="Rotation">
        {!turns.isAbsolute && (
          <>
            <Button look="secondary" size="small" onClick={() => turn(all, 270, 'Page 1 is')}>
              All left
            </Button>
            <Button look="secondary" size="small" onClick={() => turn(all, 90, 'Page 1 is')}>
              All right
            </Button>
          </>
        )}
        <Button
          look="secondary"
          size="small"
          disabled={turns.angles.size === 0}
          onClick={() => {
            onChange(writeTurns(options, { angles: new Map(), isAbsolute: false }, pageCount))
            setNotice('')
          }}
        >
          Reset
        </Button>
      </div>
      <p className={classes.soft}>
        Click a page to rotate it by 90° to the right. Hold Shift to rotate it to the left.
      </p>
      <ThumbnailGrid
        count={pageCount}
        label="Pages to rotate"
        keyOf={String}
        render={({ at, tabIndex }) => (
          <TurnedPage
            document={document}
            index={at}
            tabIndex={tabIndex}
            angle={turns.angles.get(at)}
            isAbsolute={turns.isAbsolute}
            fileRotations={fileRotations.current}
            onTurn={angle => turn([at], angle, `Page ${at + 1} is`)}
          />
        )}
      />
      <p role="status" className={turns.problem === undefined ? classes.soft : classes.problem}>
        {turns.problem ?? notice}
      </p>
    </div>
  )
}

interface TurnedPageProps {
  document: OpenedDocument
  index: number
  tabIndex: 0 | -1
  /** Degrees clockwise, as in `PageTurns`. Undefined if the options leave the page as it is. */
  angle: number | undefined
  isAbsolute: boolean
  /** Rotations in the file by position. The page adds its own when it is rendered, and all pages share the map. */
  fileRotations: Map<number, number>
  onTurn: (angle: number) => void
}

function TurnedPage({ document, index, tabIndex, angle, isAbsolute, fileRotations, onTurn }: TurnedPageProps) {
  const [fileRotation, setFileRotation] = useState(() => fileRotations.get(index) ?? 0)
  const recordFileRotation = useCallback(
    (value: number) => {
      fileRotations.set(index, value)
      setFileRotation(value)
    },
    [fileRotations, index],
  )
  // The image already has the rotation of the file, so an absolute angle is reduced by it.
  const imageAngle = angle === undefined ? 0 : isAbsolute ? (angle - fileRotation + 360) % 360 : angle
  return (
    <button
      type="button"
      className={classes.page}
      tabIndex={tabIndex}
      aria-label={
        angle === undefined
          ? `Rotate page ${index + 1}`
          : `Rotate page ${index + 1}, now ${describeAngle(angle, isAbsolute)}`
      }
      data-angle={imageAngle}
      onClick={event => onTurn(event.shiftKey ? 270 : 90)}
    >
      <Sheet document={document} pageIndex={index} angle={imageAngle} onRotation={recordFileRotation}>
        {angle !== undefined && (isAbsolute || angle !== 0) && (
          <span className={classes.badge} data-text={`${angle}°`} />
        )}
      </Sheet>
    </button>
  )
}

function describeAngle(angle: number, isAbsolute: boolean): string {
  if (isAbsolute) return `at ${angle}°.`
  return angle === 0 ? 'as in the file.' : `rotated by ${angle}°.`
}
