'use client'

import { type ReactNode, useState } from 'react'
import { forgetEntries } from './applicable-fields'
import { useForm } from './form-context'
import { type FieldPath, problemsAt } from './field-path'
import classes from '../playground.module.css'
import { emptyValue, type FieldShape, type Json } from './field-shapes'
import { type GroupProps, isGroup } from './group-props'
import { summarize } from './value-summary'
import { Button } from '../../elements/button'

/** Rows that can be added and removed. Rows with several fields fold to a line with their content. */
export function ListControl({ shape, value, onChange, path, name, parts: { Control } }: GroupProps<'list'>) {
  const { shelf } = useForm()
  const rows = Array.isArray(value) ? value : []
  const [openRows, setOpenRows] = useState<readonly number[]>(rows.length === 1 ? [0] : [])
  const isFull = shape.most !== undefined && rows.length >= shape.most
  // An entry must have a value, so a cleared entry stays as an empty text.
  const set = (index: number, entry: Json | undefined) =>
    onChange(rows.map((row, at) => (at === index ? (entry ?? emptyValue(shape.item)) : row)))
  function remove(index: number) {
    forgetEntries(shelf, path)
    setOpenRows(openRows.filter(row => row !== index).map(row => (row > index ? row - 1 : row)))
    onChange(rows.length === 1 ? undefined : rows.filter((_, at) => at !== index))
  }
  function add() {
    setOpenRows([...openRows, rows.length])
    onChange([...rows, emptyValue(shape.item)])
  }
  return (
    <div className={classes.rows}>
      {rows.map((row, index) => {
        const control = (
          <Control
            shape={shape.item}
            value={row}
            onChange={entry => set(index, entry)}
            path={[...path, index]}
            name={`${name}, entry ${index + 1}`}
            label={undefined}
            isRequired={false}
            fallback={undefined}
            showsProblems
          />
        )
        const button = <RemoveButton label={`Remove entry ${index + 1} of ${name}`} onClick={() => remove(index)} />
        return isGroup(shape.item) ? (
          <FoldingRow
            key={index}
            index={index}
            path={[...path, index]}
            shape={shape.item}
            value={row}
            name={name}
            isOpen={openRows.includes(index)}
            onToggle={isOpen => setOpenRows(isOpen ? [...openRows, index] : openRows.filter(open => open !== index))}
            button={button}
          >
            {control}
          </FoldingRow>
        ) : (
          <div key={index} className={classes.row}>
            <div className={classes.grow}>{control}</div>
            {button}
          </div>
        )
      })}
      <Button look="secondary" size="small" disabled={isFull} onClick={add} aria-label={`Add an entry to ${name}`}>
        Add
      </Button>
    </div>
  )
}

/** The button that removes a row. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button look="quiet" size="small" onClick={onClick} aria-label={label}>
      Remove
    </Button>
  )
}

interface FoldingRowProps {
  index: number
  path: FieldPath
  shape: FieldShape
  value: Json
  name: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  button: ReactNode
  children: ReactNode
}

/** A row with several fields. A problem inside keeps it open. */
function FoldingRow({ index, path, shape, value, name, isOpen, onToggle, button, children }: FoldingRowProps) {
  const { problems } = useForm()
  const isShown = isOpen || problemsAt(problems, path, true).length > 0
  const summary = summarize(shape, value)
  return (
    <div className={classes.wideRow}>
      <div className={classes.rowHead}>
        <button type="button" className={classes.fold} aria-expanded={isShown} onClick={() => onToggle(!isShown)}>
          <span aria-hidden>{isShown ? '▾' : '▸'}</span>
          <span className={classes.foldNumber}>
            <span className="visually-hidden">{name}, entry</span> {index + 1}
          </span>
          {!isShown && <span className={classes.foldText}>{summary === '' ? 'Empty' : summary}</span>}
        </button>
        {button}
      </div>
      {isShown && children}
    </div>
  )
}
