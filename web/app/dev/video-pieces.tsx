import { PlanCards, PlanPeriod, type Product } from '../site/plan-cards.tsx'
import { Reveal } from '../site/reveal.tsx'
import { CaptionPicture } from '../ui/caption-picture.tsx'
import { Player, useTransport } from '../ui/player.tsx'
import after from '../site/footage/after.mp4'
import { Grid, Part, Row } from './part.tsx'

export const PlayerPiece = () => {
  const transport = useTransport()
  return (
    <Part title="Player">
      <div className="max-w-xl">
        <Player
          media={[{ id: 'sample', name: 'Cut 2', short: 'C2', playUrl: after, width: 480, height: 854 }]}
          transport={transport}
          label="The sample"
          marks={[{ id: 'one', at: 4, label: 'A comment' }]}
        />
      </div>
    </Part>
  )
}

export const CaptionPieces = () => (
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

export const PlanPieces = () => (
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

export const Reveals = () => (
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
    ...(percentOff > 0 ? { offer: { percentOff, amountOff: 0 } } : {}),
  })),
})
