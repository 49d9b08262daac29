import { useState, type ReactNode } from 'react'
import { Download, Ellipsis, Trash2, Video } from 'lucide-react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { statusValues } from '@clear-to-post/domain/workflow'
import { NoSuchRoom, PageFailure, PageLoading } from '../page-states.tsx'
import { brandVariables, ownBrand } from '../panel/brand/tokens.ts'
import { PlanCards, PlanPeriod, type Product } from '../site/plan-cards.tsx'
import { Reveal } from '../site/reveal.tsx'
import { chooseTheme, chosenTheme, themes, type Theme } from '../theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { CaptionPicture } from '../ui/caption-picture.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { ColourField } from '../ui/colour-field.tsx'
import { ComboBox } from '../ui/combo-box.tsx'
import { bodyRow, cell, headCell, table, tableFrame } from '../ui/data-table.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { TextArea, TextField } from '../ui/fields.tsx'
import { Logo, LogoMark } from '../ui/logo.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { PictureField } from '../ui/picture-field.tsx'
import { Player, useTransport } from '../ui/player.tsx'
import { Progress } from '../ui/progress.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx'
import { Badge, StatusChip } from '../ui/status-chip.tsx'
import { Switch } from '../ui/switch.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import { toastFailure, Toasts } from '../ui/toasts.tsx'
import after from '../site/footage/after.mp4'

/**
 * `/dev/ui`: every piece of the design system in every state, in the theme and the two colours that one chooses here. For
 * who builds the product (the server answers this address while developing only), so its words are English and stay here.
 */
export const PiecesPage = () => (
  <main id="content" className="mx-auto grid max-w-6xl gap-10 px-4 py-8 md:px-8">
    <title>The pieces · Clear to Post</title>
    <h1 className="text-3xl font-bold">The pieces</h1>
    <Look />
    <Colours />
    <Buttons />
    <Fields />
    <Choices />
    <Floating />
    <ToastPieces />
    <Status />
    <States />
    <Lists />
    <Faces />
    <CaptionPieces />
    <PlanPieces />
    <Reveals />
    <PlayerPiece />
    <Toasts />
  </main>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-4 border-t border-line pt-5">
    <h2 className="text-xl">{title}</h2>
    {children}
  </section>
)

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)
const Grid = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
)

const Look = () => {
  const [theme, setTheme] = useState(chosenTheme)
  const [brand, setBrand] = useState(ownBrand)
  const paint = (changed: typeof brand) => {
    setBrand(changed)
    const { style } = document.documentElement
    for (const name of Array.from(style)) if (name.startsWith('--brand-')) style.removeProperty(name)
    for (const [name, value] of Object.entries(brandVariables(changed))) style.setProperty(name, value)
  }
  return (
    <Part title="Theme and brand">
      <Choice<Theme>
        label="Theme"
        options={themes.map((key) => ({ key, label: key }))}
        value={theme}
        onChange={(chosen) => {
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      />
      <Grid>
        <ColourField
          label="First colour"
          value={brand.primary}
          start={ownBrand.primary}
          onChange={(primary) => paint({ ...brand, primary })}
          hint="Moved until it reads: 3:1 as a shape, 4.5:1 as a text."
        />
        <ColourField
          label="Second colour"
          value={brand.secondary}
          start={ownBrand.secondary}
          onChange={(secondary) => paint({ ...brand, secondary })}
        />
      </Grid>
    </Part>
  )
}

const Colours = () => (
  <Part title="Colours, letters, ruler">
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4 lg:grid-cols-6">
      {swatches.map((look) => (
        <li key={look} className={`rounded-control border border-line p-3 text-xs ${look}`}>
          {look.split(' ')[0]!.slice(3)}
        </li>
      ))}
    </ul>
    <p className="font-display text-4xl font-bold">Funnel Display says it large</p>
    <p>
      Geist says the rest. 0123456789, in columns: <span className="figures">111.00</span>
    </p>
    <p className="font-mono">Geist Mono is for codes: HARBOR-DEMO</p>
    <div className="ruler h-3" />
  </Part>
)

const swatches = [
  'bg-canvas text-ink',
  'bg-surface text-ink',
  'bg-sunken text-ink',
  'bg-surface text-muted',
  'bg-primary text-on-primary',
  'bg-primary-tint text-primary-text',
  'bg-surface text-coral-text',
  'bg-good-tint text-good',
  'bg-warn-tint text-warn',
  'bg-danger-tint text-danger',
  'bg-night text-on-night',
  'bg-ink text-surface',
]

const Buttons = () => (
  <Part title="Buttons">
    {(['small', 'medium', 'large'] as const).map((size) => (
      <Row key={size}>
        {(['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
          <Button key={variant} variant={variant} size={size}>
            {variant}
          </Button>
        ))}
        <Button size={size} icon={<Download aria-hidden />}>
          With icon
        </Button>
        <Button size={size} isDisabled>
          Disabled
        </Button>
        <Button size={size} variant="primary" isPending>
          Pending
        </Button>
        <IconButton label={`More, ${size}`}>
          <Ellipsis aria-hidden />
        </IconButton>
      </Row>
    ))}
  </Part>
)

const Fields = () => {
  const [search, setSearch] = useState('rate')
  const [colour, setColour] = useState('')
  const [tags, setTags] = useState<string[]>(['first home', 'tips'])
  const [number, setNumber] = useState(4)
  return (
    <Part title="Fields">
      <Grid>
        <TextField label="Empty" placeholder="Loan officer" />
        <TextField label="With a hint" hint="As it should stand in your videos." defaultValue="Riley Park" />
        <TextField label="Optional" isRequired={false} />
        <TextField label="Wrong" error="Write the whole address, such as name@company.com." defaultValue="riley@" />
        <TextField label="Disabled" isDisabled defaultValue="Not now" />
        <TextArea
          label="Long text"
          hint="5,000 characters at most"
          defaultValue="Cut the part where the phone rings."
        />
        <NumberField label="Number" value={number} onChange={setNumber} minValue={0} />
        <SearchField label="Search" value={search} onChange={setSearch} />
        <ColourField label="Colour, none yet" value={colour} start="#2647e0" onChange={setColour} />
        <TagsField
          label="Tags"
          value={tags}
          onChange={setTags}
          most={5}
          longest={30}
          removeWords={(tag) => `Remove ${tag}`}
        />
        <PictureField
          label="Picture"
          preview={<LogoMark className="size-10" />}
          hasPicture
          onChoose={async () => {}}
          onRemove={async () => {}}
        />
      </Grid>
    </Part>
  )
}

const styles = [
  { value: 'one', label: 'One Line' },
  { value: 'two', label: 'Two Lines', detail: 'for long sentences' },
  { value: 'tour', label: 'Home Tour', isDisabled: true },
]

const Choices = () => {
  const [select, setSelect] = useState<string | null>('one')
  const [empty, setEmpty] = useState<string | null>(null)
  const [combo, setCombo] = useState<string | null>('two')
  const [tab, setTab] = useState('cut')
  return (
    <Part title="Choices">
      <Grid>
        <Select label="Select" options={styles} value={select} onChange={setSelect} />
        <Select
          label="Select, wrong"
          options={styles}
          value={empty}
          onChange={setEmpty}
          placeholder="Choose a style"
          error="Choose one."
        />
        <ComboBox label="Combo box" options={styles} value={combo} onChange={setCombo} />
        <div className="grid gap-1">
          <Checkbox>Not chosen</Checkbox>
          <Checkbox defaultSelected>Chosen</Checkbox>
          <Checkbox isIndeterminate>Some</Checkbox>
          <Checkbox isDisabled>Disabled</Checkbox>
        </div>
        <div className="grid gap-2">
          <Switch>Off</Switch>
          <Switch defaultSelected hint="What it changes stands here.">
            On
          </Switch>
          <Switch isDisabled>Disabled</Switch>
        </div>
      </Grid>
      {(['line', 'switch'] as const).map((look) => (
        <Tabs
          key={look}
          look={look}
          label={`Tabs, ${look}`}
          items={[
            { key: 'cut', label: 'Cut', count: 3 },
            { key: 'talk', label: 'Conversation' },
            { key: 'history', label: 'History' },
          ]}
          value={tab}
          onChange={setTab}
        >
          {(key) => <p className="py-2 text-muted">What belongs to {key}.</p>}
        </Tabs>
      ))}
    </Part>
  )
}

const Floating = () => {
  const [asks, setAsks] = useState(false)
  return (
    <Part title="Menus and dialogs">
      <Row>
        <Menu label="Menu" trigger={<Button>Menu</Button>}>
          <MenuItem icon={<Download aria-hidden />}>Download</MenuItem>
          <MenuItem isDisabled>Not now</MenuItem>
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} isDanger>
            Remove
          </MenuItem>
        </Menu>
        <Dialog
          title="A dialog"
          trigger={<Button>Dialog</Button>}
          actions={(close) => (
            <Button variant="primary" onPress={close}>
              Done
            </Button>
          )}
        >
          <TextField label="Your name" />
        </Dialog>
        <Button onPress={() => setAsks(true)}>Confirm</Button>
        <Confirm
          title="Cancel this project?"
          text="Its place in the queue is given away. Your files stay."
          confirm="Cancel the project"
          keep="Keep it"
          isOpen={asks}
          onOpenChange={setAsks}
          onConfirm={() => setAsks(false)}
        />
      </Row>
    </Part>
  )
}

const ToastPieces = () => (
  <Part title="Toasts">
    <Row>
      {(['success', 'info', 'warning', 'error'] as const).map((type) => (
        <Button
          key={type}
          onPress={() => toast[type](`A ${type} toast`, { description: 'And what it means for you.' })}
        >
          Toast: {type}
        </Button>
      ))}
      <Button onPress={() => toast('A default toast')}>Toast: default</Button>
      <Button onPress={() => toast.loading('A loading toast', { id: 'loading' })}>Toast: loading</Button>
      <Button onPress={() => toast.success('It is done', { id: 'loading' })}>End the loading</Button>
      <Button
        onPress={() =>
          toast('Moved to the front', {
            action: { label: 'Undo', onClick: () => toast.info('Undone') },
            cancel: { label: 'Fine', onClick: () => {} },
          })
        }
      >
        Toast: action and cancel
      </Button>
      <Button onPress={() => toast('It stays', { duration: Infinity, closeButton: true })}>Toast: close button</Button>
      <Button onPress={() => toast.warning('It cannot be swiped away', { dismissible: false, id: 'fixed' })}>
        Toast: not dismissible
      </Button>
      <Button onPress={() => toast.dismiss()}>Dismiss all</Button>
      <Button
        onPress={() =>
          void fetch('/api/no-such-call').then(async (answer) => {
            const body = (await answer.json()) as { message: string }
            toastFailure(new Refusal('unknown', body.message, 'not-found'))
          })
        }
      >
        Toast: failed answer
      </Button>
    </Row>
  </Part>
)

const Status = () => (
  <Part title="Status">
    <Row>
      {statusValues.map((status) => (
        <StatusChip key={status} status={status} />
      ))}
    </Row>
    <Row>
      {(['plain', 'primary', 'good', 'warn', 'danger'] as const).map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
    </Row>
    <Grid>
      <Progress label="Uploading" value={0.42} detail="2 min left" />
      <Progress label="Waiting" value={null} />
      <Progress label="Done" value={1} tone="good" />
      <Progress label="Slow" value={0.6} tone="warn" />
      <Progress label="Failed" value={0.6} tone="danger" />
    </Grid>
  </Part>
)

const States = () => (
  <Part title="States of a page">
    <Grid>
      <EmptyState
        icon={<Video aria-hidden />}
        title="No videos yet"
        text="Your first one is free."
        action={<Button variant="primary">Send a video</Button>}
      />
      <ErrorState error={new TypeError('offline')} onRetry={() => {}} />
      <Loading>
        <Skeleton className="mb-2 h-6 w-1/2" />
        <Skeleton className="h-24" />
      </Loading>
    </Grid>
    <details className="rounded-card border border-line p-4">
      <summary>Whole pages: loading, absent, failed</summary>
      <PageLoading />
      <NoSuchRoom />
      <PageFailure error={new Error('It threw')} reset={() => {}} info={{ componentStack: '' }} />
    </details>
  </Part>
)

const noMore = { hasNextPage: true, isFetchingNextPage: false, fetchNextPage: async () => {} }

const Lists = () => (
  <Part title="Lists">
    <div className={tableFrame}>
      <table className={table}>
        <thead>
          <tr>
            {['Title', 'Officer', 'Due'].map((name) => (
              <th key={name} scope="col" className={headCell}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {['Rate locks in a minute', 'Watch out for wire fraud'].map((title) => (
            <tr key={title} className={bodyRow}>
              <td className={cell}>{title}</td>
              <td className={cell}>Riley Park</td>
              <td className={cell}>Friday</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <Row>
      <MoreButton list={noMore} />
      <MoreButton list={{ ...noMore, isFetchingNextPage: true }} />
    </Row>
  </Part>
)

const CaptionPieces = () => (
  <Part title="Captions and a closing card">
    <Row>
      {([1, 2, 5, 3] as const).map((style) => (
        <div key={style} className="relative aspect-9/16 w-28 overflow-hidden rounded-lg bg-night">
          <CaptionPicture
            sample={{
              width: 336,
              height: 597,
              text: 'Locked for sixty days',
              spoken: 2,
              style,
              colour: '#ff5a3c',
              size: 1.4,
            }}
          />
        </div>
      ))}
      <div className="relative aspect-9/16 w-28 overflow-hidden rounded-lg bg-night">
        <CaptionPicture
          sample={{
            width: 336,
            height: 597,
            brand: { primary: '#2647e0', secondary: '#ff5a3c', name: 'Riley Park', line: 'Loan officer' },
            call: 'Call me',
            logo: null,
          }}
        />
      </div>
    </Row>
  </Part>
)

const Faces = () => (
  <Part title="Faces and codes">
    <Row>
      <Logo />
      <LogoMark className="size-12" />
      <Avatar name="Riley Park" />
      <Avatar name="Riley Park" photoUrl="/icons/icon-192.png" />
      <Avatar name="Riley Park" className="size-12 text-xl" />
      <QrCode text="https://clear.example/login" label="A QR code" className="size-28" />
    </Row>
  </Part>
)

const product = (name: string, position: number, price: number, percentOff: number): Product => ({
  id: name,
  name,
  descriptions: { description: '', subtitle: 'A sample' },
  metadata: { position },
  percentOff,
  plans: (['month', 'year'] as const).map((interval) => ({
    id: `${name}-${interval}`,
    currency: 'usd',
    price: interval === 'month' ? price : price * 10,
    interval,
    metadata: {
      projectsPerMonth: position * 4,
      revisionsPerProject: position,
      turnaroundHours: 72 / position,
      rank: position,
    },
    subscriptionItemId: '',
  })),
})

const PlanPieces = () => (
  <Part title="Plans">
    <div className="plans grid gap-4">
      <div className="justify-self-start">
        <PlanPeriod />
      </div>
      <PlanCards
        products={[product('Small', 1, 9900, 0), product('Middle', 2, 19_900, 20), product('Large', 3, 59_950, 0)]}
      />
    </div>
  </Part>
)

const Reveals = () => (
  <Part title="Scroll reveal">
    <Grid>
      {(['slide', 'fade', 'slideFade'] as const).flatMap((type) =>
        (['up', 'down', 'left', 'right'] as const).map((direction) => (
          <Reveal key={type + direction} type={type} direction={direction}>
            <p className="rounded-card border border-line bg-surface p-4">
              {type}, {direction}
            </p>
          </Reveal>
        )),
      )}
    </Grid>
  </Part>
)

const PlayerPiece = () => {
  const transport = useTransport()
  return (
    <Part title="Player">
      <div className="max-w-xl">
        <Player
          media={[{ id: 'sample', name: 'Version 2', short: 'V2', playUrl: after, width: 480, height: 854 }]}
          transport={transport}
          label="The sample"
          marks={[{ id: 'one', at: 4, label: 'A comment' }]}
        />
      </div>
    </Part>
  )
}
