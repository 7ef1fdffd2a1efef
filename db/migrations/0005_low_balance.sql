-- In the order in which events of payments take them; calls take only the second one.
LOCK TABLE "purchases", "users" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"purchase_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notices_kind" CHECK ("notices"."kind" in ('low_balance', 'top_up', 'topped_up', 'top_up_failed'))
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"account_id" text PRIMARY KEY NOT NULL,
	"is_on" boolean DEFAULT false NOT NULL,
	"amount_cents" integer NOT NULL,
	"monthly_limit_cents" integer NOT NULL,
	"customer_id" text,
	"payment_method_id" text,
	"card_label" text,
	"billing" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_failure" text,
	CONSTRAINT "top_ups_amounts" CHECK ("top_ups"."amount_cents" > 0 and "top_ups"."monthly_limit_cents" >= "top_ups"."amount_cents"),
	CONSTRAINT "top_ups_card" CHECK (not "top_ups"."is_on" or ("top_ups"."payment_method_id" is not null and "top_ups"."customer_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "is_top_up" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "low_told" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_due" ON "notices" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "notices_account" ON "notices" USING btree ("account_id");--> statement-breakpoint
-- A notice for each time that a balance falls below what its owner set, whatever made it fall. The credit of one call that
-- comes back is no recovery: calls that fail at the threshold would give a notice each.
CREATE FUNCTION "note_low_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.low_balance_at <> OLD.low_balance_at THEN
    NEW.low_told := NEW.balance < NEW.low_balance_at;
  ELSIF NEW.balance < NEW.low_balance_at THEN
    NEW.low_told := true;
    INSERT INTO "notices" ("account_id", "kind") VALUES (NEW.id, 'low_balance');
  ELSIF NEW.balance > OLD.balance + 1 THEN
    NEW.low_told := false;
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "users_low_balance" BEFORE UPDATE OF "balance", "low_balance_at" ON "users"
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND (NEW.balance < NEW.low_balance_at) IS DISTINCT FROM NEW.low_told) EXECUTE FUNCTION "note_low_balance"();
