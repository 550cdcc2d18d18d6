import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Asset, Item } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useBranch } from '../content/at.ts'
import { pictureUrl } from '../content/picture.ts'
import { Act } from '../controls/act.tsx'
import { Problem } from '../controls/problem.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { cropAt, type Point } from './crop.ts'

interface FocalProps {
  readonly item: Item
  readonly asset: Asset
}

const middle = { x: 0.5, y: 0.5 }

/** The preset that every repository has and that crops; see the guide on assets. */
const builtIn = { name: 'card', width: 800, height: 450 }

/** The point that crops keep in view, set on the picture or by numbers, with what the presets then show. */
export function Focal({ item, asset }: FocalProps) {
  const { assets: words } = useWords()
  const { at, reason } = useBranch(item.type)
  const saved = asset.focalPoint ?? middle
  const [moved, setPoint] = useState<Point | null>(null)
  const point = moved ?? saved
  const save = useMutation({
    ...mutationOptions(quire, 'items.update'),
    onSuccess: () => setPoint(null),
  })
  const url = pictureUrl(item, 'large') ?? ''
  const why = reason('items.update')
  const isSame = point.x === saved.x && point.y === saved.y
  return (
    <section>
      <h2>{words.focal}</h2>
      <p>{words.focalLead}</p>
      <div className="focal">
        <img
          src={url}
          alt=""
          onClick={({ nativeEvent, currentTarget }) => {
            const { width, height } = currentTarget.getBoundingClientRect()
            if (why === null)
              setPoint({ x: part(nativeEvent.offsetX / width), y: part(nativeEvent.offsetY / height) })
          }}
        />
        <span
          className="focal-point"
          style={{ insetInlineStart: 'auto', left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
        />
      </div>
      <fieldset className="bare" disabled={why !== null}>
        <Axis label={words.fromLeft} value={point.x} onChange={(x) => setPoint({ ...point, x })} />
        <Axis label={words.fromTop} value={point.y} onChange={(y) => setPoint({ ...point, y })} />
      </fieldset>
      <div className="row">
        <Act
          kind="main"
          reason={why ?? (isSame ? words.unchanged : null)}
          isBusy={save.isPending}
          onAct={() =>
            save.mutate({ ...at, id: item.id, focalPoint: point, baseVersion: item.currentVersion })
          }
        >
          {words.saveFocal}
        </Act>
        <Act reason={why} onAct={() => setPoint(middle)}>
          {words.center}
        </Act>
      </div>
      <Problem error={save.error} />
      <Presets url={url} asset={asset} point={point} />
    </section>
  )
}

/** Percents are exact enough, and the same value has the same text everywhere. */
function part(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 100) / 100))
}

interface AxisProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function Axis({ label, value, onChange }: AxisProps) {
  const id = useId()
  return (
    <div className="row">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        value={Math.round(value * 100)}
        onChange={({ target }) => onChange(part(Number(target.value) / 100))}
      />
      <output htmlFor={id}>{Math.round(value * 100)} %</output>
    </div>
  )
}

interface PresetsProps {
  readonly url: string
  readonly asset: Asset
  readonly point: Point
}

/** What presets that crop will show of the picture. */
function Presets({ url, asset: { width, height }, point }: PresetsProps) {
  const { assets: words } = useWords()
  const { at } = useBranch()
  const list = useQuery(queryOptions(quire, 'renditionPresets.list', { configId: at.configId }))
  if (width === null || height === null) return null
  const own = (list.data?.items ?? []).flatMap(({ name, width: wide, height: high, fit, focal }) =>
    fit === 'cover' && wide !== null && high !== null
      ? [{ name, width: wide, height: high, point: focal ? point : middle }]
      : [],
  )
  const presets = [{ ...builtIn, point }, ...own.filter(({ name }) => name !== builtIn.name)]
  return (
    <>
      <h3>{words.presets}</h3>
      <ul className="tiles">
        {presets.map((preset) => {
          const { x, y } = cropAt({ width, height }, preset, preset.point)
          return (
            <li key={preset.name}>
              <img
                className="crop"
                src={url}
                alt=""
                style={{ aspectRatio: `${preset.width} / ${preset.height}`, objectPosition: `${x}% ${y}%` }}
              />
              <small>
                {preset.name} ({preset.width} × {preset.height})
              </small>
            </li>
          )
        })}
      </ul>
    </>
  )
}
