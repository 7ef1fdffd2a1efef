import { writeSize } from '../../elements/byte-size'
import classes from '../playground.module.css'

/** The files of a request in their order, with buttons that move and remove them. */
export function FileRows({ files, onChange }: { files: File[]; onChange: (files: File[]) => void }) {
  const move = (from: number, to: number) => {
    const next = files.filter((_, index) => index !== from)
    const moved = files[from]
    if (moved) onChange([...next.slice(0, to), moved, ...next.slice(to)])
  }
  return (
    <ol className={classes.files}>
      {files.map((file, index) => (
        <li key={`${index} ${file.name}`}>
          <span className={classes.fileName}>{file.name}</span>
          <span className={classes.soft}>{writeSize(file.size)}</span>
          <span className={classes.fileButtons}>
            {files.length > 1 && (
              <>
                <button
                  type="button"
                  className={classes.chip}
                  disabled={index === 0}
                  aria-label={`Move ${file.name} up`}
                  onClick={() => move(index, index - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className={classes.chip}
                  disabled={index === files.length - 1}
                  aria-label={`Move ${file.name} down`}
                  onClick={() => move(index, index + 1)}
                >
                  ↓
                </button>
              </>
            )}
            <button
              type="button"
              className={classes.chip}
              aria-label={`Remove ${file.name}`}
              onClick={() => onChange(files.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </span>
        </li>
      ))}
    </ol>
  )
}
