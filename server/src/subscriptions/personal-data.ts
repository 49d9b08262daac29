import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { payments } from '../outside/payments/payments.ts'
import { endOwnSubscriptions } from './actions.ts'
import { duties } from '@clear-to-post/domain/roles'

const own = (personId: string) => sql`t.user_id = ${personId}`

export const subscriptionsData: RoomData = {
  words: [
    { text: 'Your own plan ends. Your card, and your name and address at the payment service.', for: duties.film },
  ],
  tables: {
    customer: {
      of: own,
      erased: 'id user_id tenant_id told try_after',
      given: '',
      withheld: { inner: 'id user_id tenant_id told try_after' },
    },
    subscription: {
      of: own,
      erased: 'payment_method_id card_brand card_last4',
      stays: {
        payments:
          'id user_id tenant_id plan_id status start_date current_period_start current_period_end provider_id item_id quantity paused_from ends_at owed_since is_taken_back days_until_due percent_off amount_off discount_ends coupon_ids reading credit changing_until changing_by credited_by credited_ahead covered_since period_since before_change',
      },
      given:
        'plan_id status start_date current_period_start current_period_end quantity paused_from ends_at owed_since is_taken_back card_brand card_last4 percent_off amount_off discount_ends coupon_ids credit',
      withheld: {
        inner:
          'id user_id tenant_id provider_id item_id days_until_due payment_method_id reading changing_until changing_by credited_by credited_ahead covered_since period_since before_change',
      },
    },
    subscription_period: {
      of: (personId) => sql`t.subscription_id in (select id from subscription where user_id = ${personId})`,
      readBy: 'service',
      stays: { payments: 'subscription_id starts ends videos whole most_a_month recorded_at' },
      given: 'starts ends videos',
      withheld: { inner: 'subscription_id whole most_a_month recorded_at' },
    },
    charge: {
      of: own,
      erased: 'receipt_url last4 brand',
      stays: {
        payments:
          'id user_id tenant_id created_at paid status price currency payment_type description reading credit refunded disputed credited taken_back_at subscription_provider_id',
      },
      given:
        'id created_at paid receipt_url status price credit refunded disputed credited taken_back_at currency payment_type last4 brand description',
      withheld: { inner: 'user_id tenant_id reading subscription_provider_id' },
    },
    refund: {
      of: own,
      readBy: 'service',
      erased: 'reason',
      stays: { payments: 'id charge_id user_id tenant_id kind amount currency by_id state settled_at created_at' },
      given: 'charge_id kind amount currency state settled_at created_at',
      withheld: { staff: 'reason by_id', inner: 'id user_id tenant_id' },
    },
    extra_project: {
      of: own,
      stays: {
        payments:
          'id user_id subscription_id price currency state reason used_month used_for stands_since reading created_at charge_id',
      },
      erased: 'request_id',
      given: 'price currency state used_month created_at',
      withheld: { inner: 'id user_id subscription_id request_id reason used_for stands_since reading charge_id' },
    },
    free_video: {
      of: (personId) => sql`t.project_id in (select id from project where user_id = ${personId})`,
      stays: { freeVideo: 'project_id mailbox domain used_at is_again' },
      // One that nobody has begun is given back.
      staying: (personId) =>
        sql`t.project_id in (select id from project where user_id = ${personId} and editing_begun)`,
      company: sql`(select v.tenant_id from project v where v.id = t.project_id)`,
      given: '',
      withheld: { inner: 'project_id mailbox domain used_at is_again' },
    },
    sandbox_object: {
      of: () => sql`false`,
      erased: 'body',
      stays: { payments: 'id kind customer_id due_at created_at' },
      given: '',
      withheld: { inner: 'id kind customer_id due_at body created_at' },
    },
  },
  erase: async (tx, { id }, traces) => {
    await endOwnSubscriptions(tx, id)
    await tx.count(sql`
      update subscription set payment_method_id = null, card_brand = null, card_last4 = null where user_id = ${id}`)
    await tx.count(sql`update charge set receipt_url = '', last4 = null, brand = null where user_id = ${id}`)
    await tx.count(sql`update refund set reason = '' where user_id = ${id}`)
    await tx.count(sql`update extra_project set request_id = id::text where user_id = ${id}`)
    const customers = await tx.rows(sql<{ id: string }>`delete from customer where user_id = ${id} returning id`)
    traces.customerIds.push(...customers.map((row) => row.id))
    const known = await tx.rows(sql<{ id: string }>`
      select provider_id as id from subscription where user_id = ${id} and provider_id is not null`)
    traces.subscriptionIds?.push(...known.map((row) => row.id))
  },
  eraseOutside: async ({ customerIds, subscriptionIds }) => {
    for (const customerId of customerIds) {
      await payments().closePages(customerId)
      // Paid on a page that was open when the account was removed: nobody has that plan, so its price goes back.
      for (const id of subscriptionIds ? await payments().runningOf(customerId) : [])
        if (!subscriptionIds!.includes(id)) await payments().undo(id, `undo ${id}`)
      await payments().forgetCustomer(customerId)
    }
  },
}
