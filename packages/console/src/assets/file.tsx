import { getRouteApi } from '@tanstack/react-router'
import { useItem } from '../content/item.tsx'
import { pictureUrl } from '../content/picture.ts'
import { Loaded } from '../controls/loaded.tsx'
import { serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { DropZone } from './drop-zone.tsx'
import { Focal } from './focal.tsx'
import { UploadList, useSizeText } from './upload-list.tsx'

const route = getRouteApi('/$repo/content/$id')

/** The file of an asset: what it is, where pictures of it are cropped, and another file for it. */
export function AssetFile() {
  const { assets: words } = useWords()
  const { id } = route.useParams()
  const size = useSizeText()
  const item = useItem()
  return (
    <Loaded query={item}>
      {(loaded) => {
        const { asset, originalFileName, renditions } = loaded
        if (asset === null) return <p>{words.noFile}</p>
        const original = renditions.find(({ type }) => type === 'original')
        return (
          <>
            <dl className="facts">
              <dt>{words.fileName}</dt>
              <dd dir="auto">{originalFileName}</dd>
              <dt>{words.mimeType}</dt>
              <dd>{asset.mimeType}</dd>
              <dt>{words.size}</dt>
              <dd>{size(asset.size)}</dd>
              {asset.width !== null && (
                <>
                  <dt>{words.pixels}</dt>
                  <dd>
                    {asset.width} × {asset.height}
                  </dd>
                </>
              )}
            </dl>
            {original && (
              <p>
                <a href={`${serviceUrl}${original.url}`} download={originalFileName ?? ''}>
                  {words.download}
                </a>
              </p>
            )}
            {pictureUrl(loaded, 'large') !== null && <Focal key={asset.hash} item={loaded} asset={asset} />}
            <h2>{words.replaceTitle}</h2>
            <p>{words.replaceLead}</p>
            <DropZone itemId={id}>
              <UploadList />
            </DropZone>
          </>
        )
      }}
    </Loaded>
  )
}
