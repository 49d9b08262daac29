import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Upload, Video } from 'lucide-react'
import { startUpload } from '../assets/uploads.ts'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { RecordOnPhone } from './record-on-phone.tsx'
import { messages } from './new-video-messages.ts'

/** Record, choose or drop; every file starts at once. */
export const VideoChooser = ({ hasFiles, isForAnother }: { hasFiles: boolean; isForAnother: boolean }) => (
  <DropZone
    aria-label={messages.dropTitle}
    getDropOperation={() => 'copy'}
    onDrop={({ items }) => {
      for (const item of items) if (item.kind === 'file') void item.getFile().then((file) => startUpload(file))
    }}
    className={
      hasFiles
        ? 'flex flex-wrap items-center gap-2 rounded-control border border-dashed border-edge/60 p-3 data-drop-target:border-primary data-drop-target:bg-primary-tint'
        : 'flex flex-col items-center gap-4 rounded-control border border-dashed border-edge p-6 text-center data-drop-target:border-primary data-drop-target:bg-primary-tint md:py-10'
    }
  >
    {!hasFiles && (
      <p aria-hidden className="hidden font-medium pointer-fine:block">
        {messages.dropTitle}
      </p>
    )}
    <div className={hasFiles ? 'contents' : 'flex w-full flex-wrap justify-center gap-2'}>
      <LinkButton
        to={paths.record}
        variant={hasFiles ? 'secondary' : 'primary'}
        size={hasFiles ? 'small' : 'large'}
        icon={<Video aria-hidden />}
        className={hasFiles ? '' : 'max-sm:w-full'}
      >
        {hasFiles ? messages.recordMore : messages.record}
      </LinkButton>
      <FileTrigger acceptedFileTypes={formats} allowsMultiple onSelect={startAll}>
        <Button
          variant="secondary"
          size={hasFiles ? 'small' : 'large'}
          icon={<Upload aria-hidden />}
          className={hasFiles ? '' : 'max-sm:w-full'}
        >
          {isForAnother ? messages.chooseAnother : hasFiles ? messages.chooseMore : messages.choose}
        </Button>
      </FileTrigger>
    </div>
    {!hasFiles && <RecordOnPhone variant="quiet" size="small" />}
    {!hasFiles && (
      <p className="max-w-sm text-[0.8125rem] text-muted">
        {messages.videoHint} {messages.survives}
      </p>
    )}
  </DropZone>
)

// Android's file manager hides what it has no type for unless the ending is named.
const formats = ['video/*', '.mp4', '.mov', '.m4v', '.mkv', '.webm', '.avi', '.mts', '.3gp']

const startAll = (files: FileList | null): void => {
  for (const file of files ?? []) startUpload(file)
}
