-- In the order in which the deletion of an account takes them.
LOCK TABLE "users", "oauth_accounts" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "sign_in_attempts" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "sign_in_networks" (
	"network_hash" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "site" text;--> statement-breakpoint
ALTER TABLE "sign_in_networks" ADD CONSTRAINT "sign_in_networks_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_networks_account" ON "sign_in_networks" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sign_in_networks_last" ON "sign_in_networks" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_site" ON "sign_in_attempts" USING btree ("site","attempted_at") WHERE "sign_in_attempts"."site" is not null;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_email" ON "sign_in_attempts" USING btree ("email","attempted_at");--> statement-breakpoint
-- Tokens that nothing uses are not kept, whichever version of the service hands them over.
CREATE FUNCTION "drop_oauth_tokens"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.refresh_token := NULL;
  NEW.access_token := NULL;
  NEW.id_token := NULL;
  NEW.expires_at := NULL;
  NEW.token_type := NULL;
  NEW.scope := NULL;
  NEW.session_state := NULL;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "oauth_accounts_no_tokens" BEFORE INSERT OR UPDATE ON "oauth_accounts"
  FOR EACH ROW EXECUTE FUNCTION "drop_oauth_tokens"();--> statement-breakpoint
UPDATE "oauth_accounts" SET "access_token" = NULL;
