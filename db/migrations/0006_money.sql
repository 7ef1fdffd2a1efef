-- In the order in which events of payments take them; calls take the second one and the last one.
LOCK TABLE "purchases", "users", "top_ups", "notices" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "archived_invoices" (
	"receipt_number" integer PRIMARY KEY NOT NULL,
	"paid_on" date NOT NULL,
	"currency" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"credits" integer NOT NULL,
	"billing" text
);
--> statement-breakpoint
CREATE TABLE "stripe_customers" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stripe_tasks" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stripe_tasks_kind_subject_pk" PRIMARY KEY("kind","subject"),
	CONSTRAINT "stripe_tasks_kind" CHECK ("stripe_tasks"."kind" in ('delete_customer', 'refund'))
);
--> statement-breakpoint
ALTER TABLE "notices" DROP CONSTRAINT "notices_kind";--> statement-breakpoint
ALTER TABLE "purchases" DROP CONSTRAINT "purchases_paid";--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "asked_customer_id" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "asked_method_id" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "is_orphaned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "is_wanted" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "stopped_by" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "limit_told_month" text;--> statement-breakpoint
ALTER TABLE "stripe_customers" ADD CONSTRAINT "stripe_customers_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stripe_customers_account" ON "stripe_customers" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "stripe_tasks_due" ON "stripe_tasks" USING btree ("due_at");--> statement-breakpoint
-- One automatic purchase at a time from here on. Those that nobody pays for any more are given up first, and of several
-- of one account all but the oldest. One of them that Stripe was asked for already is credited all the same when it is paid.
UPDATE "purchases" SET "state" = 'expired' WHERE "is_top_up" AND "state" = 'open'
  AND NOT EXISTS (SELECT 1 FROM "notices" WHERE "notices"."purchase_id" = "purchases"."id" AND "notices"."kind" = 'top_up');--> statement-breakpoint
UPDATE "purchases" SET "state" = 'expired' FROM "purchases" "earlier"
  WHERE "purchases"."is_top_up" AND "purchases"."state" IN ('open', 'pending')
  AND "earlier"."is_top_up" AND "earlier"."state" IN ('open', 'pending') AND "earlier"."account_id" = "purchases"."account_id"
  AND ("earlier"."created_at", "earlier"."id") < ("purchases"."created_at", "purchases"."id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_top_up_under_way" ON "purchases" USING btree ("account_id") WHERE "purchases"."is_top_up" and "purchases"."state" in ('open', 'pending');--> statement-breakpoint
CREATE INDEX "purchases_orphaned" ON "purchases" USING btree ("paid_at") WHERE "purchases"."is_orphaned";--> statement-breakpoint
CREATE INDEX "top_ups_on" ON "top_ups" USING btree ("account_id") WHERE "top_ups"."is_on";--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_kind" CHECK ("notices"."kind" in ('low_balance', 'top_up', 'topped_up', 'top_up_failed', 'top_up_stopped'));--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_paid" CHECK (("purchases"."state" = 'paid') = ("purchases"."paid_at" is not null and "purchases"."payment_intent_id" is not null)
        and ("purchases"."state" = 'paid' or "purchases"."receipt_number" is null));--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_stopped_by" CHECK ("top_ups"."stopped_by" in ('refund', 'dispute'));